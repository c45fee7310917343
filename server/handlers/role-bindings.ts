import { isUid, isWithin, parentOf, rootOf } from "~/contract/aip";
import { roleBindings } from "~/contract/iam/role-bindings";
import type { InputOf } from "~/contract/resource";
import type { FieldViolation } from "~/contract/status";

import { isRootLevel } from "../access/caller";
import { requireRole } from "../access/escalation";
import { roleBindingsTable } from "../store/role-bindings";
import type { Handler } from "./call";
import type { Change, Context, Draft, Rules } from "./rules";
import { standardHandlers } from "./standard";

type Input = InputOf<typeof roleBindings>;

/** Whether a record is there; held as it is until the binding is, so that what was checked stays true. */
async function exists({ queries }: Draft, table: "identities" | "roles", uid: string): Promise<boolean> {
  const rows = await queries.query(`select 1 from ${table} where uid = $1 for share`, [uid]);
  return rows.length > 0;
}

/** One sentence whether a record lies elsewhere or nowhere: a binding is no way to find out what exists. */
async function violations(_context: Context, draft: Draft): Promise<FieldViolation[]> {
  const { identityUid, roleUid } = draft.fields;
  const found: FieldViolation[] = [];
  if (typeof identityUid === "string" && isUid(identityUid)) {
    const near = isRootLevel(identityUid) || rootOf(identityUid) === rootOf(draft.parent);
    if (!near || !(await exists(draft, "identities", identityUid)))
      found.push({
        field: "identityUid",
        description: "identityUid must be a person or an identity of this organization",
      });
  }
  if (typeof roleUid === "string" && isUid(roleUid)) {
    const near = isRootLevel(roleUid) || isWithin(draft.parent, parentOf(roleUid));
    if (!near || !(await exists(draft, "roles", roleUid)))
      found.push({
        field: "roleUid",
        description: "roleUid must be a built-in role or a role of this group or of one above it",
      });
  }
  return found;
}

/** A role is granted when it is bound and when a binding of it moves to somebody else. */
async function beforeWrite(
  _context: Context,
  { queries, caller, parent, next, previous }: Change<Input>,
): Promise<void> {
  const same = previous?.["identityUid"] === next.identityUid && previous["roleUid"] === next.roleUid;
  if (!same) await requireRole(queries, caller, next.roleUid, parent);
}

const rules: Rules<Input> = {
  resource: roleBindings,
  table: roleBindingsTable,
  unique: {
    constraint: "role_bindings_once",
    by: ["identity_uid", "role_uid"],
    field: "roleUid",
    sentence: "this identity holds this role in this group already",
  },
  violations,
  beforeWrite,
  columns: ({ identityUid, roleUid }) => ({ identity_uid: identityUid, role_uid: roleUid }),
};

export const roleBindingHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules);
