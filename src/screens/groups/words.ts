import { parentOf } from "~/contract/aip";
import type { Group } from "~/contract/iam/groups";
import { shorten } from "~/ui/display/shorten";

/** A group without a parent is an organization, every other one a folder; "group" is the API's word for both. */
export type GroupKind = "organization" | "folder";

export const kindOf = (uid: string): GroupKind => (parentOf(uid) === "" ? "organization" : "folder");

/** What a group is called; its uid where a service gives no name. */
export const nameOf = ({ uid, name }: Pick<Group, "uid" | "name">): string => name || shorten(uid);

const KINDS: Readonly<Record<string, string>> = {
  ORG_KIND_STARTER: "Starter",
  ORG_KIND_CUSTOMER: "Customer",
  ORG_KIND_DEV: "Personal, for development",
  ORG_KIND_INFRA: "Infrastructure",
  ORG_KIND_AWS_MARKETPLACE: "AWS Marketplace",
};

/** What an OrgKind means. A value from a newer server is shown as it is; unspecified is nothing. */
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

/** What an OrgStatus means, likewise. */
export const organizationStatus = (status: string | undefined): StatusWords | undefined =>
  status === undefined || status === "" || status === "ORG_STATUS_UNSPECIFIED"
    ? undefined
    : (STATUSES[status] ?? { word: status, tone: "neutral" });
