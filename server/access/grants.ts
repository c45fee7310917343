import { isWithin } from "~/contract/aip";

import type { Queries } from "../store/database";
import type { Grant } from "./caller";

/** One role that identities of one home hold at groups. */
interface Held {
  readonly role: string;
  readonly changed: Date;
  readonly home: string | null;
  /** Uids with a space between them. */
  readonly groups: string;
}

interface Role {
  readonly changed: number;
  readonly capabilities: ReadonlySet<string>;
}

/** Roles as they were read, by uid; every change of a role moves the time of its last change. */
const rolesOn = new WeakMap<Queries, Map<string, Role>>();
const KEPT = 5_000;

/** Those roles as they are, read again unless they were read since they changed. */
async function rolesFor(queries: Queries, held: readonly Held[]): Promise<Map<string, Role>> {
  const known = rolesOn.get(queries) ?? new Map<string, Role>();
  if (known.size > KEPT) known.clear();
  rolesOn.set(queries, known);
  // Of this call alone: while it waits for the database another one may empty what they share.
  const roles = new Map<string, Role>();
  const stale = new Set<string>();
  for (const { role, changed } of held) {
    const one = known.get(role);
    if (one?.changed === changed.getTime()) roles.set(role, one);
    else stale.add(role);
  }
  if (stale.size === 0) return roles;
  const rows = await queries.query<{ uid: string; changed: Date; capabilities: string[] }>(
    `select uid, updated_at as changed, capabilities from roles where uid = any($1::text[])`,
    [[...stale]],
  );
  for (const uid of stale) known.delete(uid);
  for (const { uid, changed, capabilities } of rows) {
    const role = { changed: changed.getTime(), capabilities: new Set(capabilities) };
    known.set(uid, role);
    roles.set(uid, role);
  }
  return roles;
}

/** What was made of an answer, and the answer, which tells whether it would be made of the next one too. */
interface Made {
  readonly held: readonly Held[];
  readonly grants: readonly Grant[];
}

/** By the identities that were asked for, and how many bindings that makes. */
const madeOn = new WeakMap<Queries, { readonly by: Map<string, Made>; count: number }>();
/** Bindings in all that are kept made up, about 20 MB. */
const KEPT_GRANTS = 50_000;

const same = (one: readonly Held[], other: readonly Held[]): boolean =>
  one.length === other.length &&
  one.every((held, index) => {
    const { role, changed, home, groups } = other[index] as Held;
    const alike = held.role === role && held.home === home && held.groups === groups;
    return alike && held.changed.getTime() === changed.getTime();
  });

function keep(queries: Queries, key: string, made: Made): void {
  const known = madeOn.get(queries) ?? { by: new Map<string, Made>(), count: 0 };
  madeOn.set(queries, known);
  // Somebody who holds nothing is kept as well, and takes a place.
  known.count += made.held.length + made.grants.length + 1;
  if (known.count > KEPT_GRANTS) {
    known.by.clear();
    known.count = 0;
  }
  known.by.set(key, made);
}

/**
 * What identities hold: the bindings that count, with the capabilities of their roles. A binding counts at groups
 * inside the identity's own parent group; people, who have none, are reached anywhere (contract B24). Asked at every
 * request, so it is one statement whose answer is small however many bindings there are; the capabilities, hundreds of
 * texts, are read again when their role has changed. Equal answers give the same list: what else follows from it, such
 * as the topmost of a thousand groups, is not worked out again.
 */
export async function grantsOf(queries: Queries, identities: readonly string[]): Promise<readonly Grant[]> {
  if (identities.length === 0) return [];
  const held = await queries.query<Held>(
    // Looked up for each, not joined: the planner cannot know how few groups there are, and would read every identity.
    `select b.role_uid as role, (select updated_at from roles where uid = b.role_uid) as changed,
       (select parent from identities where uid = b.identity_uid) as home, b.groups
     from (select identity_uid, role_uid, string_agg(parent, ' ') as groups from role_bindings
       where identity_uid = any($1::text[]) group by identity_uid, role_uid) b`,
    [identities],
  );
  const key = identities.join(" ");
  const before = madeOn.get(queries)?.by.get(key);
  if (before && same(before.held, held)) return before.grants;
  const counting = held.flatMap((one) => {
    const reached = one.groups.split(" ").filter((group) => one.home === null || isWithin(group, one.home));
    return reached.length > 0 ? [{ ...one, reached }] : [];
  });
  const roles = await rolesFor(queries, counting);
  const grants = counting.flatMap(({ role, reached }) => {
    const capabilities = roles.get(role)?.capabilities ?? new Set<string>();
    return reached.map((group) => ({ group, capabilities }));
  });
  keep(queries, key, { held, grants });
  return grants;
}
