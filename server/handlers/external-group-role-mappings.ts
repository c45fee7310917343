import { isUid, rootOf } from "~/contract/aip";
import { externalGroupRoleMappings } from "~/contract/iam/external-group-role-mappings";
import type { InputOf } from "~/contract/resource";
import type { FieldViolation } from "~/contract/status";

import { requireAll } from "../access/caller";
import { requireRole } from "../access/escalation";
import { externalGroupRoleMappingsTable } from "../store/external-group-role-mappings";
import { giveMapped, takeMapped } from "../store/mapped-bindings";
import type { Handler } from "./call";
import type { Change, Context, Draft, Rules } from "./rules";
import { standardHandlers } from "./standard";
import { isUsableRole } from "./role-reference";

type Input = InputOf<typeof externalGroupRoleMappings>;

async function violations(_context: Context, { queries, uid, fields }: Draft): Promise<FieldViolation[]> {
  const organization = rootOf(uid);
  const found: FieldViolation[] = [];
  const { roleUid, scope } = fields;
  if (typeof scope === "string" && isUid(scope) && scope !== organization)
    found.push({ field: "scope", description: "scope must be the organization of the identity provider" });
  if (typeof roleUid === "string" && isUid(roleUid) && !(await isUsableRole(queries, roleUid, organization)))
    found.push({
      field: "roleUid",
      description: "roleUid must be a built-in role, or a role of the organization",
    });
  return found;
}

/** A mapping grants its role to future members, so the caller must be able to bind that role there. */
async function beforeWrite(
  _context: Context,
  { queries, caller, next, previous }: Change<Input>,
): Promise<void> {
  if (previous?.["roleUid"] === next.roleUid) return;
  requireAll(caller, ["CAP_IAM_ROLE_BINDINGS_CREATE"], next.scope);
  await requireRole(queries, caller, next.roleUid, next.scope);
}

/** Current members get the new role immediately, without another sign-in. */
async function afterWrite(_context: Context, { queries, uid, next, previous }: Change<Input>): Promise<void> {
  if (!previous || previous["roleUid"] === next.roleUid) return;
  const members = await takeMapped(queries, uid);
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
  columns: ({ externalGroupId, roleUid, scope }) => ({
    external_group_id: externalGroupId,
    role_uid: roleUid,
    scope,
  }),
  afterWrite,
  beforeDelete: async (_context, { queries, uid }) => void (await takeMapped(queries, uid)),
};

export const externalGroupRoleMappingHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules);
