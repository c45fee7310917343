import { isWithin } from "~/contract/aip";

import type { Queries } from "../store/database";
import type { Grant } from "./caller";

/**
 * What identities hold: the bindings that count, with the capabilities of their roles. A binding counts at groups
 * inside the identity's own parent group; people, who have none, are reached anywhere (contract B24).
 */
export async function grantsOf(queries: Queries, identities: readonly string[]): Promise<Grant[]> {
  if (identities.length === 0) return [];
  const bindings = await queries.query<{ group: string; home: string | null; role: string }>(
    `select b.parent as "group", i.parent as home, b.role_uid as role
     from role_bindings b join identities i on i.uid = b.identity_uid where b.identity_uid = any($1::text[])`,
    [identities],
  );
  const counting = bindings.filter(({ group, home }) => home === null || isWithin(group, home));
  if (counting.length === 0) return [];
  const roles = await queries.query<{ uid: string; capabilities: string[] }>(
    "select uid, capabilities from roles where uid = any($1::text[])",
    [[...new Set(counting.map(({ role }) => role))]],
  );
  const held = new Map(roles.map(({ uid, capabilities }) => [uid, new Set(capabilities)]));
  return counting.map(({ group, role }) => ({ group, capabilities: held.get(role) ?? new Set() }));
}
