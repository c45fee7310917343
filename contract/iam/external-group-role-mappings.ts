import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { KINDS } from "../kinds";
import { reference, resource, type ItemOf } from "../resource";
import { NAME_BYTES, text } from "../schema";

/** A group at an identity provider, and the role that its members get here. */
export const externalGroupRoleMappings = resource({
  kind: KINDS.externalGroupRoleMappings,
  settable: {
    externalGroupId: text({ pattern: /\S/, sentence: "required", bytes: NAME_BYTES }),
    roleUid: reference("must be the uid of a role"),
    scope: reference("must be the uid of the organization"),
  },
  output: { identityProviderUid: z.optional(z.string()) },
  behavior: { createOnly: ["externalGroupId", "scope"] },
  filters: { identityProviderUid: z.optional(reference("must be a uid")) },
  // A mapping has no name of its own: `name` is the group's (every list sorts by name).
  affects: ["roleBindings"],
});

export type ExternalGroupRoleMapping = ItemOf<typeof externalGroupRoleMappings>;

/** Maximum number of mappings per request. */
export const BATCH_DELETE_MAX = 100;

const NAMES = "must be a list of uids of mappings";

/**
 * Deletes mappings of one identity provider, all or none (AIP-235). Skips those that are gone already; the
 * response has those that it deleted.
 */
export const batchDeleteMappings = endpoint({
  collection: "externalGroupRoleMappings",
  verb: "batchDelete",
  method: "POST",
  path: "/iam/v2/externalGroupRoleMappings:batchDelete",
  access: {
    at: "handler",
    needs: ["CAP_IAM_IDENTITY_PROVIDERS_DELETE"],
    because: "the identity provider is in the body",
  },
  body: z.object({
    parent: reference("must be the uid of an identity provider"),
    names: z
      .array(reference("must be the uid of a mapping"), NAMES)
      .check(
        z.minLength(1, NAMES),
        z.maxLength(BATCH_DELETE_MAX, `at most ${BATCH_DELETE_MAX} mappings can be deleted at once`),
      ),
  }),
  answer: z.looseObject({
    parent: z.optional(z.string()),
    externalGroupRoleMappings: z.optional(z.array(externalGroupRoleMappings.answer)),
  }),
  summary: "Delete mappings of one identity provider, all or none",
});
