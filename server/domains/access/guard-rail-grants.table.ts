import { ancestorsOf, rootOf } from "platform-contract/aip";
import { isExcepted } from "platform-contract/iam/guard-rail-rules";
import { REASON_FIELD } from "platform-contract/iam/guard-rails";

import { now } from "../../platform/store/clock";
import type { Arrival, Queries } from "../../platform/store/database";
import { noteBroken } from "../../platform/store/guard-rail-notes";
import { bindingsBreaking, distrusted, endsTooLate, IS_MACHINE } from "./guard-rail-breaches.table";
import { hasReason, settle, type Breach } from "./guard-rail-checks.table";
import {
  factsOf,
  isAbout,
  isOfRoles,
  railOf,
  railsAt,
  SELECT_RAILS,
  type Rail,
  type ReadRow,
} from "./guard-rails.table";

/** A role that is about to be given. */
export interface GrantToCheck {
  readonly group: string;
  readonly role: string;
  /** Undefined if whoever it will be is not known yet: of an invite or a mapping. */
  readonly identity?: string | undefined;
  readonly until: Date | null;
  /** The identities of who gives it; undefined if nobody does at that moment. */
  readonly by?: readonly string[] | undefined;
  /** How the request that gives it arrived; undefined if it asks for no reason. */
  readonly arrival?: Arrival | undefined;
  readonly asksReason: boolean;
  /** Another person approves it, now or each time that it is switched on. */
  readonly approved?: boolean;
  /** The field that names the role. */
  readonly roleField: string | undefined;
}

interface Holder {
  readonly machine: boolean;
  readonly relationship: string;
  readonly definition: unknown;
}

async function holderOf(queries: Queries, identity: string): Promise<Holder | undefined> {
  const [row] = await queries.query<Holder>(
    `select ${IS_MACHINE} as machine, i.relationship, i.definition from identities i where i.uid = $1`,
    [identity],
  );
  return row;
}

/** True if a person asked for access there or above, was not answered yet, and is given it by another person. */
async function isAnswer(
  queries: Queries,
  { identity, group, by }: Pick<GrantToCheck, "identity" | "group" | "by">,
): Promise<boolean> {
  if (identity === undefined || by === undefined || by.includes(identity)) return false;
  const rows = await queries.query(
    `select 1 from access_requests where identity_uid = $1 and declined is null and granted_at is null
       and parent = any($2::text[])
       and exists (select 1 from identities i where i.uid = any($3::text[]) and not ${IS_MACHINE}) limit 1`,
    [identity, [...ancestorsOf(group), group], [...by]],
  );
  return rows.length > 0;
}

/** Checks a role that is about to be given. Throws FAILED_PRECONDITION. */
export async function checkGrant(queries: Queries, grant: GrantToCheck): Promise<void> {
  const { group, role, identity, until, asksReason, arrival, roleField } = grant;
  const all = await railsAt(queries, group);
  const rails = all.filter(
    ({ exceptions }) => !isExcepted(exceptions, { identity, within: [group] }, now().getTime()),
  );
  if (rails.length === 0) return;
  const facts = await factsOf(queries, rails.filter(isOfRoles), [role]);
  const given = { uid: role, capabilities: facts.get(role) ?? [] };
  const holder =
    identity !== undefined && rails.some(({ kind }) => kind !== "GUARD_RAIL_KIND_END_REQUIRED")
      ? await holderOf(queries, identity)
      : undefined;
  const answers =
    rails.some(({ kind }) => kind === "GUARD_RAIL_KIND_SECOND_PERSON") &&
    (grant.approved === true || (await isAnswer(queries, grant)));
  const breaches = rails.flatMap((rail): Breach[] => {
    if (isOfRoles(rail) && !isAbout(rail, given, facts)) return [];
    switch (rail.kind) {
      case "GUARD_RAIL_KIND_NO_MACHINES":
        return holder?.machine ? [{ rail, field: roleField, must: "must be another role" }] : [];
      case "GUARD_RAIL_KIND_END_REQUIRED":
        return endsTooLate(rail, until)
          ? [
              identity !== undefined && roleField === "roleUid"
                ? {
                    rail,
                    field: "expirationTime",
                    must: `must be set, and at most ${rail.values.maxDays} days from now`,
                  }
                : { rail, field: roleField, must: "must be another role: this access has no end" },
            ]
          : [];
      case "GUARD_RAIL_KIND_SECOND_PERSON":
        return answers
          ? []
          : [{ rail, field: roleField, must: "must be another role, unless they ask for access" }];
      case "GUARD_RAIL_KIND_ALLOWED_ISSUERS":
        return holder?.machine && distrusted(rail, { [holder.relationship]: holder.definition }) !== undefined
          ? [{ rail, field: roleField && "identityUid" }]
          : [];
      case "GUARD_RAIL_KIND_REASON_REQUIRED":
        return asksReason && !hasReason(arrival) ? [{ rail, field: REASON_FIELD, must: "required" }] : [];
      default:
        return [];
    }
  });
  settle(queries, group, breaches);
}

/**
 * Those of these people who can be given a role without anybody's act now: by a mapping, a directory, or as the default
 * role of their first sign-in. Notes who is left out.
 */
export async function allowedToGet(
  queries: Queries,
  {
    group,
    role,
    people,
  }: { readonly group: string; readonly role: string; readonly people: readonly string[] },
): Promise<readonly string[]> {
  const all = (await railsAt(queries, group)).filter(
    ({ kind }) => kind === "GUARD_RAIL_KIND_END_REQUIRED" || kind === "GUARD_RAIL_KIND_SECOND_PERSON",
  );
  if (all.length === 0) return people;
  const facts = await factsOf(queries, all, [role]);
  const rails = all.filter((rail) =>
    isAbout(rail, { uid: role, capabilities: facts.get(role) ?? [] }, facts),
  );
  if (rails.length === 0) return people;
  // What they have already is not given now.
  const rows = await queries.query<{ identity: string }>(
    `select identity_uid as identity from role_bindings
     where parent = $1 and role_uid = $2 and identity_uid = any($3::text[])`,
    [group, role, [...people]],
  );
  const having = new Set(rows.map(({ identity }) => identity));
  const time = now().getTime();
  return people.filter((identity) => {
    if (having.has(identity)) return true;
    const broken = rails.filter(
      ({ exceptions }) => !isExcepted(exceptions, { identity, within: [group] }, time),
    );
    noteBroken(
      queries,
      broken.map(({ uid = "", sentence, refuses }) => ({
        guardRail: uid,
        sentence,
        effect: refuses ? "GUARD_RAIL_EFFECT_LEFT_OUT" : "GUARD_RAIL_EFFECT_WARNED",
        identity,
        role,
      })),
    );
    return !broken.some(({ refuses }) => refuses);
  });
}

/** Role bindings of one statement. */
const AT_ONCE = 1_000;

/** True if a role binding of a role breaks a guard rail that is about it, and is not excepted. */
async function isBrokenBy(queries: Queries, rail: Rail, role: string): Promise<boolean> {
  for (let after = ""; ;) {
    // oxlint-disable-next-line no-await-in-loop -- until one is found
    const found = await bindingsBreaking(queries, rail, {
      roles: [role],
      after,
      limit: AT_ONCE,
      unknown: true,
    });
    const broken = found.some(
      ({ identity, group }) => !isExcepted(rail.exceptions, { identity, within: [group] }, now().getTime()),
    );
    if (broken || found.length < AT_ONCE) return broken;
    after = found.at(-1)?.uid ?? after;
  }
}

/**
 * Checks capabilities that a role is about to get: its holders have them at once. Throws FAILED_PRECONDITION if holders
 * then break a guard rail that was not about the role before.
 */
export async function checkRoleChange(
  queries: Queries,
  {
    uid,
    before,
    after,
  }: { readonly uid: string; readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<void> {
  const rows = await queries.query<ReadRow>(
    `${SELECT_RAILS} where (t.parent = $1 or t.parent > $1 || '/' and t.parent < $1 || '0') order by t.uid`,
    [rootOf(uid)],
  );
  const rails = rows.map(railOf).filter(isOfRoles);
  if (rails.length === 0) return;
  const facts = await factsOf(queries, rails, []);
  const breaches: Breach[] = [];
  for (const rail of rails) {
    if (isAbout(rail, { uid, capabilities: before }, facts)) continue;
    if (!isAbout(rail, { uid, capabilities: after }, facts)) continue;
    // oxlint-disable-next-line no-await-in-loop -- one connection, few guard rails
    if (await isBrokenBy(queries, rail, uid))
      breaches.push({ rail, field: "capabilities", must: "must not give its holders so much" });
  }
  settle(queries, rootOf(uid), breaches);
}
