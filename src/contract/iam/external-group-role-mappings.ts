import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { reference, resource, type ItemOf } from "../resource";
import { NAME_BYTES, text } from "../schema";

/** A group at an identity provider, and the role that its members get here (contract 1.8). */
export const externalGroupRoleMappings = resource({
  kind: KINDS.externalGroupRoleMappings,
  settable: {
    externalGroupId: text({ pattern: /\S/, sentence: "externalGroupId is required", bytes: NAME_BYTES }),
    roleUid: reference("roleUid must be the uid of a role"),
    scope: reference("scope must be the uid of the organization"),
  },
  output: { identityProviderUid: z.optional(z.string()) },
  behavior: { createOnly: ["externalGroupId", "scope"] },
  filters: { identityProviderUid: z.optional(reference("identityProviderUid must be a uid")) },
  // A mapping has no name of its own: `name` is the group's (contract B13: every list sorts by name).
  affects: ["roleBindings"],
});

export type ExternalGroupRoleMapping = ItemOf<typeof externalGroupRoleMappings>;
