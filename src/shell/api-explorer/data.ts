import type { Operation, Parameter } from "~/api/openapi/document";
import { kindOf, separated } from "platform-contract/kinds";
import { capitalize } from "~/ui/display/capitalize";

import { DOMAINS } from "../screens";

/** Collections without a place in the navigation, by the one that they stand behind. */
const BEHIND: Readonly<Record<string, string>> = {
  accessDecisions: "roleBindings",
  accessRequests: "groupInvites",
  artifacts: "libraries",
  artifactVersions: "libraries",
  auditAccess: "audit-log",
  auditEntries: "audit-log",
  auditHeads: "audit-log",
  capabilityUse: "roleBindings",
  eligibleGrants: "roleBindings",
  endings: "identities",
  accessReviewItems: "roleBindings",
  accessReviews: "roleBindings",
  machineOwners: "identities",
  noticeSettings: "identities",
  deliveries: "subscriptions",
  documents: "advisories",
  externalGroupRoleMappings: "identityProviders",
  guardRailFindings: "guardRails",
  guardRails: "roleBindings",
  images: "tags",
  packageTags: "advisories",
  registryImages: "tags",
  registryUsage: "tags",
  resolvedVulnsReports: "reports",
  retentionDecisions: "tags",
  retentionDeletions: "tags",
  retentionRules: "tags",
  retentionRuns: "tags",
  termsAcceptances: "terms",
  tokens: "identities",
  vulnerabilityMetadata: "advisories",
};

const ORDER = DOMAINS.flatMap(({ screens }) => screens.map(({ collection }) => collection));

/** The place of a collection in the navigation; collections without one come last. */
function placeOf(collection: string): number {
  const own = ORDER.indexOf(collection);
  if (own >= 0) return own;
  const behind = ORDER.indexOf(BEHIND[collection] ?? "");
  return behind < 0 ? ORDER.length : behind + 0.5;
}

const nameOf = (collection: string): string =>
  capitalize(kindOf(collection)?.plural ?? (separated(collection, " ") || "other"));

export interface OperationGroup {
  readonly resource: string;
  /** "Role bindings". */
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** The operations by resource, in the order of the navigation. */
export function groupOperations(operations: readonly Operation[]): OperationGroup[] {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  return resources
    .map((resource) => ({
      resource,
      name: nameOf(resource),
      operations: operations.filter((one) => one.resource === resource),
    }))
    .toSorted((a, b) => placeOf(a.resource) - placeOf(b.resource) || a.name.localeCompare(b.name, "en"));
}

/** The operations whose path, id, method or summary contains each word, in any case. */
export function searchOperations(operations: readonly Operation[], words: string): readonly Operation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ id, also, method, path, summary, resource }) => {
    const text = [id, ...also, method, path, summary, nameOf(resource)].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** True if a parameter takes the uid of a group, which the scope can fill. */
function takesGroup({ resource, path, id }: Operation, { name, in: where }: Parameter): boolean {
  if (where === "query") return name === "group" || name === "uidp.descendants_of";
  if (where !== "path" || name !== "uid") return false;
  return path.includes("/groups/{uid}") || (id.endsWith(".create") && kindOf(resource)?.parent === "groups");
}

/** What a parameter begins with: the scope, where it is a group. */
export const prefilled = (
  operation: Operation,
  parameter: Parameter,
  group: string | undefined,
): string | undefined => (takesGroup(operation, parameter) ? group : undefined);
