import { shapeOf } from "platform-contract/schema";

import type { AnyKind } from "./kinds";

/** What a person looks for in a table of a kind; records that others repeat stand for their names. The uid comes last. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  groups: ["name", "createTime"],
  identities: ["name", "email", "claimMatch.issuer", "claimMatch.subject", "lastSeenTime"],
  roles: ["name", "description"],
  roleBindings: ["identity", "role", "group", "expirationTime"],
  groupInvites: ["email", "role", "expirationTime"],
  identityProviders: ["name", "oidc.issuer"],
  externalGroupRoleMappings: ["externalGroupId", "roleUid", "scope"],
  guardRails: ["kind", "mode", "sentence"],
  eligibleGrants: ["identity", "role", "group", "maxDuration", "expirationTime"],
  repos: ["name", "catalogTier", "aliases", "createTime"],
  tags: ["name", "deprecated", "createTime", "digest"],
  accountAssociations: ["name", "createTime"],
  terms: ["name", "label", "url"],
  subscriptions: ["sink", "createTime"],
  advisories: ["advisoryId", "artifactName", "componentName", "aliases"],
};

/** The columns of a kind, which are fields by the contract, its uid last. */
export const columnsOf = ({ collection }: Pick<AnyKind, "collection">): readonly string[] => [
  ...(COLUMNS[collection] ?? ["name"]),
  "uid",
];

/** True if the contract has a field at this path; what other services add is not in it. */
export function isField({ answer }: Pick<AnyKind, "answer">, path: string): boolean {
  let shape = shapeOf(answer);
  for (const key of path.split(".")) {
    if (!shape) return true;
    if (!Object.hasOwn(shape, key)) return false;
    const schema = shape[key];
    shape = schema && shapeOf(schema);
  }
  return true;
}
