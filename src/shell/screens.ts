import {
  ChartColumnIcon,
  LibraryIcon,
  IdCardIcon,
  MailIcon,
  PackageIcon,
  UsersIcon,
  LogInIcon,
  FolderTreeIcon,
  ShieldAlertIcon,
  ShieldIcon,
  TagIcon,
  KeyRoundIcon,
  CloudIcon,
  DiffIcon,
  ScrollTextIcon,
  WebhookIcon,
  type LucideIcon,
} from "lucide-react";
import type { LinkProps } from "@tanstack/react-router";

import { parentOf } from "~/contract/aip";
import { kinds, KINDS, listPath } from "~/contract/kinds";
import { capitalize } from "~/resource/define";

/** The screens of one kind, as the navigation speaks of them. */
interface Screens {
  readonly collection: string;
  /** Their list. */
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: LucideIcon;
}

type Shown = { [K in keyof typeof KINDS]: (typeof KINDS)[K]["screens"] extends true ? K : never };

/** The compiler asks for one for each kind that has screens. */
const ICONS: Readonly<Record<Shown[keyof Shown], LucideIcon>> = {
  groups: FolderTreeIcon,
  identities: IdCardIcon,
  roles: ShieldIcon,
  roleBindings: KeyRoundIcon,
  groupInvites: MailIcon,
  identityProviders: LogInIcon,
  repos: PackageIcon,
  tags: TagIcon,
  accountAssociations: CloudIcon,
  terms: ScrollTextIcon,
  subscriptions: WebhookIcon,
  advisories: ShieldAlertIcon,
};
const icons: Readonly<Record<string, LucideIcon>> = ICONS;

/** Identities at the root level, which are no kind of their own. */
const PEOPLE: Screens = { collection: "people", to: "/people", label: "People", icon: UsersIcon };

/** Packages of language ecosystems: a list of what is no resource. */
const LIBRARIES: Screens = {
  collection: "libraries",
  to: "/libraries",
  label: "Libraries",
  icon: LibraryIcon,
};
/** What has been resolved, which is no kind of records. */
const REPORTS: Screens = {
  collection: "reports",
  to: "/reports",
  label: "Reports",
  icon: ChartColumnIcon,
};
/** A scope as a file, and what has changed since. */
const SNAPSHOTS: Screens = {
  collection: "snapshots",
  to: "/snapshots",
  label: "Snapshots",
  icon: DiffIcon,
};
const SECURITY = "Security";
export const ORGANIZATION = "Organization";

const shown = kinds.filter(({ screens }) => screens);

/** Every kind that has screens, by domain, in the order of the registry; what is rarely needed comes last. */
export const DOMAINS: readonly { readonly heading: string; readonly screens: readonly Screens[] }[] = [
  ...new Set([...shown.map(({ domain }) => domain).filter((each) => each !== ORGANIZATION), SECURITY]),
  ORGANIZATION,
].map((heading) => ({
  heading,
  screens: shown
    .filter(({ domain }) => domain === heading)
    .flatMap(({ collection, plural }) => [
      {
        collection,
        to: listPath(collection) as Screens["to"],
        label: capitalize(plural),
        icon: icons[collection] ?? PackageIcon,
      },
      ...(collection === "identities" ? [PEOPLE] : []),
      ...(collection === "tags" ? [LIBRARIES] : []),
    ])
    .concat(heading === SECURITY ? REPORTS : heading === ORGANIZATION ? SNAPSHOTS : []),
}));

const all = DOMAINS.flatMap(({ screens }) => screens);

/** The list that a record is in: an identity at the root level is a person. */
export const screensOf = ({ collection, uid }: { collection: string; uid: string }): Screens | undefined =>
  collection === "identities" && parentOf(uid) === ""
    ? PEOPLE
    : all.find((each) => each.collection === collection);
