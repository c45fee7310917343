import { isUid, rootOf } from "platform-contract/aip";
import type { FieldViolation } from "platform-contract/status";

import { isRootLevel } from "../../platform/access/caller";
import { personUid } from "../../platform/store/uids";
import type { Context, Draft } from "../../platform/standard/rules";
import { lockIdentity } from "../identities/identities.table";
import { hasLeft } from "./memberships.table";
import { isBoundIn } from "./role-bindings.table";

/**
 * What is wrong with the identity that a draft gives a role. Uses one message for records that are elsewhere and that do
 * not exist: a draft must not reveal what exists.
 */
export async function identityViolations({ config }: Context, draft: Draft): Promise<FieldViolation[]> {
  const { queries, parent } = draft;
  const { identityUid } = draft.fields;
  if (typeof identityUid !== "string" || !isUid(identityUid)) return [];
  const organization = rootOf(parent);
  const near = isRootLevel(identityUid) || rootOf(identityUid) === organization;
  // The owner of another organization must not be able to draw an automation client into it, to see and do things
  // there that it was not meant to.
  const isClient = identityUid === personUid(config.issuer, "automation");
  if (
    !near ||
    !(await lockIdentity(queries, identityUid)) ||
    (isClient && !(await isBoundIn(queries, identityUid, organization)))
  )
    return [{ field: "identityUid", description: "must be a person or an identity of this organization" }];
  return (await hasLeft(queries, organization, identityUid))
    ? [
        {
          field: "identityUid",
          description: "this person has left the organization and can only be invited",
        },
      ]
    : [];
}
