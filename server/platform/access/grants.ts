import { isWithin, rootOf } from "platform-contract/aip";

import { readRoles } from "../../domains/access/roles.table";
import type { Queries } from "../store/database";
import type { Grant } from "./caller";
import { heldRoles, personAndRoles, type HeldBinding, type KnownPerson } from "./grants.table";

interface Role {
  readonly changed: number;
  readonly capabilities: ReadonlySet<string>;
}

/** Cached roles by uid; every change of a role changes its `updated_at`. */
const rolesOn = new WeakMap<Queries, Map<string, Role>>();
const KEPT = 5_000;

/** Returns these roles, reading those that changed since they were cached. */
async function rolesFor(queries: Queries, held: readonly HeldBinding[]): Promise<Map<string, Role>> {
  const known = rolesOn.get(queries) ?? new Map<string, Role>();
  if (known.size > KEPT) known.clear();
  rolesOn.set(queries, known);
  // Local to this call: while it awaits the database, another call can clear the shared cache.
  const roles = new Map<string, Role>();
  const stale = new Set<string>();
  for (const { role, changed } of held) {
    const one = known.get(role);
    if (one?.changed === changed.getTime()) roles.set(role, one);
    else stale.add(role);
  }
  if (stale.size === 0) return roles;
  const rows = await readRoles(queries, [...stale]);
  for (const uid of stale) known.delete(uid);
  for (const { uid, updated_at: changed, capabilities } of rows) {
    const role = { changed: changed.getTime(), capabilities: new Set(capabilities) };
    known.set(uid, role);
    roles.set(uid, role);
  }
  return roles;
}

/** Grants with the query result they were computed from, to check whether they still apply. */
interface Made {
  readonly held: readonly HeldBinding[];
  readonly grants: readonly Grant[];
}

/** Keyed by the identities of the call; `count` is the number of cached bindings and grants. */
const madeOn = new WeakMap<Queries, { readonly by: Map<string, Made>; count: number }>();
/** Maximum cached bindings and grants, about 20 MB. */
const KEPT_GRANTS = 50_000;

const same = (one: readonly HeldBinding[], other: readonly HeldBinding[]): boolean =>
  one.length === other.length &&
  one.every(({ role, changed, home, offers, groups }, index) => {
    const held = other[index];
    const alike = held?.role === role && held.home === home && held.groups === groups;
    return alike && held.offers === offers && held.changed.getTime() === changed.getTime();
  });

function keep(queries: Queries, key: string, made: Made): void {
  const known = madeOn.get(queries) ?? { by: new Map<string, Made>(), count: 0 };
  madeOn.set(queries, known);
  // An empty result is cached as well and counts as one.
  known.count += made.held.length + made.grants.length + 1;
  if (known.count > KEPT_GRANTS) {
    known.by.clear();
    known.count = 0;
  }
  known.by.set(key, made);
}

/**
 * Returns the effective bindings of identities, with the capabilities of their roles. A binding is effective at groups
 * inside the identity's parent group; people have none, so theirs apply anywhere. Runs on every request,
 * so it is one statement with a small result regardless of the number of bindings; capabilities (hundreds of strings)
 * are only read again after their role has changed. Equal results return the same list object, so that callers can
 * cache what they derive from it.
 */
export async function grantsOf(queries: Queries, identities: readonly string[]): Promise<readonly Grant[]> {
  if (identities.length === 0) return [];
  return effective(queries, identities, await heldRoles(queries, identities));
}

/** `grantsOf`, and in the same statement what is known of one person. */
export async function personAndGrants(
  queries: Queries,
  identities: readonly string[],
  person: { readonly uid: string; readonly subject: string },
): Promise<[KnownPerson, readonly Grant[]]> {
  const { known, held } = await personAndRoles(queries, identities, person);
  return [known, await effective(queries, identities, held)];
}

async function effective(
  queries: Queries,
  identities: readonly string[],
  held: readonly HeldBinding[],
): Promise<readonly Grant[]> {
  const key = identities.join(" ");
  const before = madeOn.get(queries)?.by.get(key);
  if (before && same(before.held, held)) return before.grants;
  const counting = held.flatMap((one) => {
    const reached = one.groups
      .split(" ")
      .map((group) => group.split("@"))
      .filter(([group = ""]) => one.home === null || isWithin(group, one.home));
    return reached.length > 0 ? [{ ...one, reached }] : [];
  });
  const roles = await rolesFor(queries, counting);
  const grants = counting.flatMap(({ role, reached, offers }) => {
    const capabilities = roles.get(role)?.capabilities ?? new Set<string>();
    return reached.map(([group = "", until]): Grant => {
      const isOffered = offers?.includes(rootOf(group)) === true;
      return {
        group,
        role,
        capabilities,
        ...(isOffered && { offered: true }),
        ...(until !== undefined && { until: Number(until) }),
      };
    });
  });
  keep(queries, key, { held, grants });
  return grants;
}
