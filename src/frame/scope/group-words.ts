import { parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { capitalize } from "~/ui/display/capitalize";
import { shorten } from "~/ui/display/shorten";

/** A group without a parent is an organization, any other is a folder. The API calls both "group". */
export type GroupKind = "organization" | "folder";

export const kindOf = (uid: string): GroupKind => (parentOf(uid) === "" ? "organization" : "folder");

/** What a record is called while its name isn't known: "Folder", "Identity". */
export const wordFor = (
  { collection, noun }: { readonly collection: string; readonly noun: string },
  uid: string,
): string => capitalize(collection === groups.collection ? kindOf(uid) : noun);

/** Returns the name of a group, or its shortened uid if it has none. */
export const nameOf = ({ uid, name }: Pick<Group, "uid" | "name">): string => name || shorten(uid);

const KINDS: Readonly<Record<string, string>> = {
  ORG_KIND_STARTER: "Starter",
  ORG_KIND_CUSTOMER: "Customer",
  ORG_KIND_DEV: "Personal",
  ORG_KIND_INFRA: "Infrastructure",
  ORG_KIND_AWS_MARKETPLACE: "AWS Marketplace",
};

/** Label of an OrgKind. Returns unknown values from a newer server as is; undefined if unspecified. */
export const organizationKind = (kind: string | undefined): string | undefined =>
  kind === undefined || kind === "" || kind === "ORG_KIND_UNSPECIFIED" ? undefined : (KINDS[kind] ?? kind);

export interface StatusWords {
  readonly word: string;
  readonly tone: "neutral" | "success" | "warning" | "danger";
}

const STATUSES: Readonly<Record<string, StatusWords>> = {
  ORG_STATUS_INITIALIZING: { word: "Initializing", tone: "warning" },
  ORG_STATUS_READY: { word: "Ready", tone: "success" },
  ORG_STATUS_SUSPENDED: { word: "Suspended", tone: "danger" },
};

/** Label and tone of an OrgStatus, with the same fallbacks. */
export const organizationStatus = (status: string | undefined): StatusWords | undefined =>
  status === undefined || status === "" || status === "ORG_STATUS_UNSPECIFIED"
    ? undefined
    : (STATUSES[status] ?? { word: status, tone: "neutral" });
