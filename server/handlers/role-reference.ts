import { isUid, isWithin, parentOf } from "~/contract/aip";
import type { FieldViolation } from "~/contract/status";

import { isRootLevel } from "../access/caller";
import type { Queries } from "../store/database";
import type { Draft } from "./rules";

/**
 * Whether a role can be granted at a group: a built-in one, or one of that group or of a group above it. It is held as it
 * is until what names it is written.
 */
export async function isUsableRole(queries: Queries, role: string, group: string): Promise<boolean> {
  if (!isRootLevel(role) && !isWithin(group, parentOf(role))) return false;
  const rows = await queries.query("select 1 from roles where uid = $1 for share", [role]);
  return rows.length > 0;
}

/**
 * What is wrong with the role that a draft gives. One sentence whether it lies elsewhere or nowhere: naming a role is no way
 * to find out what exists.
 */
export async function roleViolations({ queries, fields, parent }: Draft): Promise<FieldViolation[]> {
  const { roleUid } = fields;
  if (typeof roleUid !== "string" || !isUid(roleUid)) return [];
  if (await isUsableRole(queries, roleUid, parent)) return [];
  return [
    {
      field: "roleUid",
      description: "roleUid must be a built-in role, or a role of this group or a group above it",
    },
  ];
}
