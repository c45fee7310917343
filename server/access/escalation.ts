import type { Queries } from "../store/database";
import { holdsAll, requireAll, type Caller } from "./caller";
import { grantsOf } from "./grants";

/** Throws PERMISSION_DENIED unless the caller holds all capabilities of a role at `group`, and so can grant it. */
export async function requireRole(
  queries: Queries,
  caller: Caller,
  role: string,
  group: string,
): Promise<void> {
  const [row] = await queries.query<{ capabilities: string[] }>(
    "select capabilities from roles where uid = $1",
    [role],
  );
  requireAll(caller, row?.capabilities ?? [], group);
}

/**
 * Throws PERMISSION_DENIED unless the caller holds everything that an identity holds, at the same groups: a caller who
 * can change how an identity is recognized can become it.
 */
export async function requireRightsOf(queries: Queries, caller: Caller, identity: string): Promise<void> {
  for (const { group, capabilities } of await grantsOf(queries, [identity]))
    requireAll(caller, capabilities, group);
}

/** True if these identities currently hold all the capabilities at a group. */
export async function identitiesHold(
  queries: Queries,
  identities: readonly string[],
  capabilities: Iterable<string>,
  group: string,
): Promise<boolean> {
  return holdsAll({ grants: await grantsOf(queries, identities) }, capabilities, group);
}
