import type { Capability } from "platform-contract/capability";
import { roles } from "platform-contract/iam/roles";
import type { InputOf } from "platform-contract/resource";
import type { FieldViolation } from "platform-contract/status";

import { isRootLevel, requireAll, visibleGroups, type Caller } from "../../platform/access/caller";
import { requireUntil } from "../../platform/access/escalation";
import { failedPrecondition, permissionDenied } from "../../status";
import type { Row } from "../../platform/store/database";
import { checkReason } from "./guard-rail-checks.table";
import { checkRoleChange } from "./guard-rail-grants.table";
import { capabilityNamed, rolesTable, usesOf, wireNames } from "./roles.table";
import type { Handler } from "../../platform/standard/call";
import type { Change, Context, Draft, Removal, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";

type Input = InputOf<typeof roles>;

const READ: Capability = "CAP_IAM_ROLES_LIST";

function violations(_context: Context, { fields }: Draft): FieldViolation[] {
  const names: readonly unknown[] = Array.isArray(fields["capabilities"]) ? fields["capabilities"] : [];
  return names.flatMap((name, index) => {
    if (typeof name !== "string") return [];
    const field = `capabilities[${index}]`;
    const facts = capabilityNamed(name);
    if (!facts) return [{ field, description: `${JSON.stringify(name)} is not a capability` }];
    const internal = facts.internal || facts.wire === "CAP_INTERNAL";
    return internal ? [{ field, description: `${facts.dotted} is internal to the platform` }] : [];
  });
}

/** The caller must hold added capabilities where the role is; otherwise the role would be a way to gain them. */
async function beforeWrite(
  _context: Context,
  { queries, caller, uid, parent, next, previous, arrival }: Change<Input>,
): Promise<void> {
  const stored = previous?.["capabilities"];
  const before: readonly string[] = Array.isArray(stored) ? stored.map(String) : [];
  const after = wireNames(next.capabilities);
  const added = after.filter((capability) => !before.includes(capability));
  if (added.length === 0) return;
  // A role that is bound already gives them to its holders at once, for as long as their bindings last.
  if (previous) requireUntil(caller, [...added, ...roles.update.access.needs], parent);
  else requireAll(caller, added, parent);
  await checkReason(queries, parent, arrival);
  if (previous) await checkRoleChange(queries, { uid, before, after });
}

/** The role's row is locked, so no reference is added meanwhile. */
async function beforeDelete(_context: Context, { queries, uid }: Removal): Promise<void> {
  const used = await usesOf(queries, uid);
  if (used.length > 0)
    throw failedPrecondition(
      used.map((words) => ({
        type: "RESOURCE_IN_USE",
        description: `cannot delete role with ${words}`,
        subject: uid,
      })),
    );
}

/** Callers can always read the roles they hold, by naming these: their own capabilities are no secret to them. */
function rolesHeld({ grants }: Caller, { "uidp.ids": ids }: Row): string[] {
  if (!Array.isArray(ids)) return [];
  const held = new Set(grants.map(({ role }) => role));
  return [...new Set(ids.filter((uid): uid is string => typeof uid === "string" && held.has(uid)))];
}

const rules: Rules<Input> = {
  resource: roles,
  table: rolesTable,
  // Built-in roles belong to all organizations: callers who can list roles anywhere see them.
  rootLevel: (caller, groups, query) => {
    if (groups.length > 0) return () => "true";
    const held = rolesHeld(caller, query);
    return held.length > 0 ? (bind) => `t.uid = any(${bind(held)}::text[])` : undefined;
  },
  own: (caller, query) => rolesHeld(caller, query).filter((uid) => !isRootLevel(uid)),
  beforeGet: (_context, caller, uid) => {
    if (!isRootLevel(uid)) requireAll(caller, [READ], uid);
    else if (visibleGroups(caller, READ, { "uidp.ids": [uid] }).length === 0)
      throw permissionDenied([READ], uid);
  },
  violations,
  beforeWrite,
  beforeDelete,
};

export const roleHandlers = (context: Context): Map<string, Handler> => standardHandlers(context, rules);
