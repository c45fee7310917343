import { isUid, isWithin, parentOf } from "platform-contract/aip";
import type { FieldViolation } from "platform-contract/status";

import { isRootLevel } from "../../platform/access/caller";
import type { Queries } from "../../platform/store/database";
import type { Draft } from "../../platform/standard/rules";
import { lockRole } from "./roles.table";

/**
 * True if a role can be granted at a group: a built-in one, or one of that group or of a group above it. Locks the role
 * until the reference to it is written.
 */
export async function isUsableRole(queries: Queries, role: string, group: string): Promise<boolean> {
  if (!isRootLevel(role) && !isWithin(group, parentOf(role))) return false;
  return (await lockRole(queries, role)) !== undefined;
}

/**
 * Returns a violation if the role of a draft cannot be used. Uses one message for roles that are elsewhere and that do
 * not exist: naming a role must not reveal what exists.
 */
export async function roleViolations({ queries, fields, parent }: Draft): Promise<FieldViolation[]> {
  const { roleUid } = fields;
  if (typeof roleUid !== "string" || !isUid(roleUid)) return [];
  if (await isUsableRole(queries, roleUid, parent)) return [];
  return [
    {
      field: "roleUid",
      description: "must be a built-in role, or a role of this group or a group above it",
    },
  ];
}
