import { isUid, parentOf, rootOf } from "platform-contract/aip";
import {
  batchDeleteMappings,
  externalGroupRoleMappings,
} from "platform-contract/iam/external-group-role-mappings";
import { identityProviders } from "platform-contract/iam/identity-providers";
import type { InputOf } from "platform-contract/resource";
import type { FieldViolation } from "platform-contract/status";

import { requireAll } from "../../platform/access/caller";
import { requireRole } from "../../platform/access/escalation";
import { externalGroupRoleMappingsTable } from "./external-group-role-mappings.table";
import { checkGrant } from "../access/guard-rail-grants.table";
import { giveMapped, takeMapped } from "../access/mapped-bindings.table";
import { holdPushed, pushedMembers } from "../../platform/store/scim/accounts";
import { deleteRow, lockItem, lockShared } from "../../platform/store/table";
import { isUsableRole } from "../access/role-reference";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Change, Context, Draft, Rules } from "../../platform/standard/rules";
import { standardHandlers, toAnswer } from "../../platform/standard/standard";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

type Input = InputOf<typeof externalGroupRoleMappings>;

async function violations(_context: Context, { queries, uid, fields }: Draft): Promise<FieldViolation[]> {
  const organization = rootOf(uid);
  const found: FieldViolation[] = [];
  const { roleUid, scope } = fields;
  if (typeof scope === "string" && isUid(scope) && scope !== organization)
    found.push({ field: "scope", description: "must be the organization of the identity provider" });
  if (typeof roleUid === "string" && isUid(roleUid) && !(await isUsableRole(queries, roleUid, organization)))
    found.push({
      field: "roleUid",
      description: "must be a built-in role, or a role of the organization",
    });
  return found;
}

/** A mapping grants its role to future members, so the caller must be able to bind that role there. */
async function beforeWrite(
  _context: Context,
  { queries, caller, next, previous, arrival }: Change<Input>,
): Promise<void> {
  if (previous?.["roleUid"] === next.roleUid) return;
  await requireRole(queries, caller, {
    role: next.roleUid,
    group: next.scope,
    by: ["CAP_IAM_ROLE_BINDINGS_CREATE"],
  });
  await checkGrant(queries, {
    group: next.scope,
    role: next.roleUid,
    until: null,
    asksReason: true,
    arrival,
    roleField: "roleUid",
  });
}

/** Current members get the new role immediately, without another sign-in; of a new mapping, those that were pushed. */
async function afterWrite(
  { config }: Context,
  { queries, uid, parent, next, previous }: Change<Input>,
): Promise<void> {
  if (previous?.["roleUid"] === next.roleUid) return;
  if (!previous) await holdPushed(queries, parent);
  const members = previous
    ? await takeMapped(queries, uid)
    : await pushedMembers(queries, config.issuer, parent, next.externalGroupId.normalize("NFC"));
  await giveMapped(queries, members, { uid, role: next.roleUid, scope: next.scope });
}

const rules: Rules<Input> = {
  resource: externalGroupRoleMappings,
  table: externalGroupRoleMappingsTable,
  unique: {
    constraint: "external_group_role_mappings_once",
    by: ["external_group_id", "role_uid", "scope"],
    field: "roleUid",
    sentence: "this group already has this role",
  },
  violations,
  beforeWrite,
  afterWrite,
  beforeDelete: async (_context, { queries, uid }) => void (await takeMapped(queries, uid)),
};

/** Deletes the mappings that are still there, in one transaction; one event reports all of them. */
const batchDelete =
  (context: Context): Handler =>
  (call) =>
    write(context.database, call, async (queries) => {
      const body = withoutUnset(call.body, () => false);
      const { parent } = body;
      // Before any lookup, as if it were in the path: a refusal must not reveal what exists.
      if (typeof parent === "string" && isUid(parent))
        requireAll(call.caller, batchDeleteMappings.access.needs, parent);
      const named: readonly unknown[] = Array.isArray(body["names"]) ? body["names"] : [];
      const foreign = named.flatMap((name, index) =>
        typeof name !== "string" || parentOf(name) === parent
          ? []
          : [{ field: `names[${index}]`, description: "must be a mapping of this identity provider" }],
      );
      const batch = validate(batchDeleteMappings.body!, body, foreign);
      if (!(await lockShared(queries, "identity_providers", batch.parent)))
        throw notFoundError(context, identityProviders, batch.parent);
      const deleted: unknown[] = [];
      // In one order, so that two batches cannot deadlock.
      for (const uid of [...new Set(batch.names)].toSorted()) {
        // oxlint-disable-next-line no-await-in-loop -- one connection, one query after the other
        const found = await lockItem(queries, externalGroupRoleMappingsTable, uid);
        if (!found) continue;
        // oxlint-disable-next-line no-await-in-loop -- as above
        await takeMapped(queries, uid);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await deleteRow(queries, externalGroupRoleMappingsTable.name, uid);
        deleted.push(toAnswer(externalGroupRoleMappings, found));
      }
      return {
        parent: batch.parent,
        ...(deleted.length > 0 && { externalGroupRoleMappings: deleted }),
      };
    });

export const externalGroupRoleMappingHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules).set(batchDeleteMappings.id, batchDelete(context));
