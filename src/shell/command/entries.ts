import type { LucideIcon } from "lucide-react";
import { CornerDownRightIcon, FolderTreeIcon, HouseIcon, PackageIcon } from "lucide-react";

import { kindOf, listPath, wordsInside } from "platform-contract/kinds";
import { shownAt, type Found } from "./found";
import { uidToParam } from "~/frame/scope/uid-param";
import { capitalize } from "~/ui/display/capitalize";
import { shorten } from "~/ui/display/shorten";
import type { LinkTarget } from "~/ui/layout/link";

import { DOMAINS, screensOf } from "../screens";
import { PLACES } from "./shortcut-list";

/** One line of the palette. */
export interface Entry {
  readonly id: string;
  readonly label: string;
  /** Small text after the label: where a record is, or why an action is not allowed. */
  readonly detail?: string | undefined;
  readonly icon: LucideIcon;
  /** The equivalent shortcut. */
  readonly keys?: string | undefined;
  /** One of `link` and `run`; neither if the entry is disabled. */
  readonly link?: LinkTarget | undefined;
  readonly run?: (() => void) | undefined;
}

/** Screens that the navigation does not list. */
const FURTHER: readonly { readonly to: string; readonly label: string }[] = [
  { to: "/import", label: "Import identities, invites or folders" },
  { to: "/migrate", label: "Migrate CI: move identities to new rules" },
  { to: "/affected", label: "Are we affected by a vulnerability?" },
  { to: "/advisories/documents", label: "Advisory documents" },
  { to: "/eligible", label: "Access you can switch on" },
  { to: "/endings", label: "What ends soon" },
  { to: "/status", label: "Platform status" },
  { to: "/preferences", label: "Preferences" },
  { to: "/api", label: "API explorer" },
  { to: "/concepts", label: "How it fits together: groups, identities, roles" },
  { to: "/roles/compare", label: "Compare roles" },
  { to: "/tags/compare", label: "Compare two tags" },
  { to: "/manifests", label: "Check manifests" },
  { to: "/retention", label: "Retention: delete old tags" },
  { to: "/audit-log/access", label: "Access on a date" },
  { to: "/can", label: "Can they do that?" },
];

/** The screens of all services; `AtHand` has the ones of this. */
export const SCREENS: readonly Entry[] = [
  {
    id: "screen /",
    label: "Overview",
    detail: "What waits, ends soon or needs attention",
    icon: HouseIcon,
    link: { to: "/" },
  },
  ...DOMAINS.flatMap(({ heading, screens }) =>
    screens.map(({ to, label, icon }) => ({
      id: `screen ${to}`,
      label,
      detail: heading,
      icon,
      link: { to },
    })),
  ),
  ...FURTHER.map(({ to, label }) => ({ id: `screen ${to}`, label, icon: CornerDownRightIcon, link: { to } })),
].map((entry) => ({ ...entry, keys: PLACES.find(({ to }) => to === entry.link.to)?.keys[0] }));

const recordLink = (found: Pick<Found, "collection" | "uid">): LinkTarget => {
  const { collection, uid } = shownAt(found);
  return { to: `${listPath(collection)}/$uid`, params: { uid: uidToParam(uid) } };
};

const wordOf = (collection: string): string => {
  const kind = kindOf(collection);
  return kind ? wordsInside(kind)[0] : collection;
};

/** An entry to open a record; `about`: the part of the palette that it is in. */
export const recordEntry = (about: string, { collection, uid, name, place }: Found): Entry => ({
  id: `${about} ${collection} ${uid}`,
  label: name || shorten(uid),
  // The name of a role binding says where it is.
  detail: [capitalize(wordOf(collection)), collection === "roleBindings" ? "" : place]
    .filter(Boolean)
    .join(" in "),
  icon: screensOf({ collection, uid })?.icon ?? PackageIcon,
  link: recordLink({ collection, uid }),
});

/** An entry that makes a group the scope. */
export const scopeEntry = (
  uid: string,
  name: string,
  place: string,
  linkTo: (uid: string) => LinkTarget,
): Entry => ({
  id: `scope ${uid}`,
  label: `Set scope: ${name}`,
  detail: place,
  icon: FolderTreeIcon,
  link: linkTo(uid),
});
