import { PackageIcon, type LucideIcon } from "lucide-react";
import type { LinkProps } from "@tanstack/react-router";

import type { Config } from "~/config";
import { parentOf } from "platform-contract/aip";
import { everyKind, listPath } from "platform-contract/kinds";
import { capitalize } from "~/ui/display/capitalize";
import { iconOf } from "~/frame/kind-icons";

/** The screens of one kind, for the navigation. */
export interface Screens {
  readonly collection: string;
  /** The route of the list. */
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: LucideIcon;
}

const icon = (collection: string): LucideIcon => iconOf(collection) ?? PackageIcon;

/** Identities at the root level, which are not a kind of their own. */
const PEOPLE: Screens = { collection: "people", to: "/people", label: "People", icon: icon("people") };

/** Packages of language ecosystems, which are not a resource. */
const LIBRARIES: Screens = {
  collection: "libraries",
  to: "/libraries",
  label: "Libraries",
  icon: icon("libraries"),
};
/** Reports of resolved vulnerabilities, which are not a kind of record. */
const REPORTS: Screens = {
  collection: "reports",
  to: "/reports",
  label: "Resolved vulnerabilities",
  icon: icon("reports"),
};
/** A scope as a file, and the changes since. */
const SNAPSHOTS: Screens = {
  collection: "snapshots",
  to: "/snapshots",
  label: "Snapshots",
  icon: icon("snapshots"),
};
/** Who did what, if the service has the extension. */
const AUDIT_LOG: Screens = {
  // As in its address: it is no kind of record.
  collection: "audit-log",
  to: "/audit-log",
  label: "Audit log",
  icon: icon("auditLog"),
};
/** Every role binding of a scope, decided one by one. */
const ACCESS_REVIEW: Screens = {
  collection: "access-review",
  to: "/access-review",
  label: "Access review",
  icon: icon("accessReview"),
};
/** What the user owns that ends soon. */
const ENDINGS = "/endings";
const SECURITY = "Security";
export const ORGANIZATION = "Organization";

const shown = everyKind.filter(({ screens }) => screens);

/** All kinds with screens, by domain, in the order of the registry; the rarely used domain comes last. */
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
        icon: icon(collection),
      },
      ...(collection === "identities" ? [PEOPLE] : []),
      ...(collection === "tags" ? [LIBRARIES] : []),
    ])
    .concat(
      heading === SECURITY
        ? [REPORTS, ACCESS_REVIEW, AUDIT_LOG]
        : heading === ORGANIZATION
          ? [SNAPSHOTS]
          : [],
    ),
}));

/** Keys of config.json by the screens of the extension that they name. */
const EXTENSIONS = [
  [AUDIT_LOG.to, "auditLog"],
  [ENDINGS, "notices"],
  ...shown.flatMap(({ collection, extension }) =>
    extension === undefined ? [] : [[listPath(collection), extension] as const],
  ),
] as const;

/** False for the screens of an extension that config.json doesn't name. */
export const isOffered = (
  { to }: { readonly to?: string },
  config: Pick<Config, (typeof EXTENSIONS)[number][1]>,
): boolean => EXTENSIONS.every(([path, key]) => config[key] || (to !== path && !to?.startsWith(`${path}/`)));

export const SCREENS = DOMAINS.flatMap(({ screens }) => screens);

/** The list that contains a record: an identity at the root level is a person. */
export const screensOf = ({ collection, uid }: { collection: string; uid: string }): Screens | undefined =>
  collection === "identities" && parentOf(uid) === ""
    ? PEOPLE
    : SCREENS.find((each) => each.collection === collection);
