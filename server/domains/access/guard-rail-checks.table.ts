import { ancestorsOf, rootOf } from "platform-contract/aip";
import { GUARD_RAIL, isExcepted, REASON_FIELD } from "platform-contract/iam/guard-rails";
import type { IdentityInput } from "platform-contract/iam/identities";
import { BAD_REQUEST } from "platform-contract/status";

import { failedPrecondition, Failure } from "../../status";
import { now } from "../../platform/store/clock";
import type { Arrival, Queries } from "../../platform/store/database";
import { noteBroken } from "../../platform/store/guard-rail-notes";
import {
  bindingsBreaking,
  distrusted,
  endsTooLate,
  IS_MACHINE,
  isMisnamed,
  namedCollection,
} from "./guard-rail-breaches.table";
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

/** A guard rail that a change breaks, and which field is to blame. */
interface Breach {
  readonly rail: Rail;
  readonly field?: string | undefined;
  /** What the field has to be. */
  readonly must?: string;
}

/**
 * Throws FAILED_PRECONDITION if one of these refuses, with all of their sentences; notes the others for the log.
 * @param group uid of the group where the change is, for the log of refusals
 */
function settle(queries: Queries, group: string, breaches: readonly Breach[]): void {
  noteBroken(
    queries,
    breaches
      .filter(({ rail }) => !rail.refuses)
      .map(({ rail: { uid = "", sentence } }) => ({
        guardRail: uid,
        sentence,
        effect: "GUARD_RAIL_EFFECT_WARNED",
      })),
  );
  const refusing = breaches.filter(({ rail }) => rail.refuses);
  if (refusing.length === 0) return;
  const { name, message, details, options } = failedPrecondition(
    refusing.map(({ rail: { uid = "", sentence } }) => ({
      type: GUARD_RAIL,
      description: sentence,
      subject: uid,
    })),
    { resource: group },
  );
  const fieldViolations = refusing.flatMap(({ rail, field, must }) =>
    field === undefined
      ? []
      : [{ field, description: `${must ? `${must}: ` : ""}a guard rail says "${rail.sentence}"` }],
  );
  throw new Failure(
    name,
    message,
    fieldViolations.length > 0 ? [...details, { "@type": BAD_REQUEST, fieldViolations }] : details,
    options,
  );
}

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

const hasReason = (arrival: Arrival | undefined): boolean => arrival?.justification !== undefined;

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
    rails.some(({ kind }) => kind === "GUARD_RAIL_KIND_SECOND_PERSON") && (await isAnswer(queries, grant));
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

/** Checks that a change at a group, which gives access, has a reason if a guard rail asks for one. */
export async function checkReason(
  queries: Queries,
  group: string,
  arrival: Arrival | undefined,
): Promise<void> {
  if (hasReason(arrival)) return;
  const rails = (await railsAt(queries, group)).filter(
    ({ kind, exceptions }) =>
      kind === "GUARD_RAIL_KIND_REASON_REQUIRED" &&
      !isExcepted(exceptions, { within: [group] }, now().getTime()),
  );
  settle(
    queries,
    group,
    rails.map((rail) => ({ rail, field: REASON_FIELD, must: "required" })),
  );
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

/** Checks how an identity is about to be recognized, and that this has a reason if one is asked for. */
export async function checkRecognition(
  queries: Queries,
  {
    uid,
    group,
    next,
    arrival,
  }: {
    readonly uid: string;
    readonly group: string;
    readonly next: IdentityInput;
    readonly arrival: Arrival | undefined;
  },
): Promise<void> {
  const breaches = (await railsAt(queries, group)).flatMap((rail): Breach[] => {
    if (isExcepted(rail.exceptions, { identity: uid, within: [group] }, now().getTime())) return [];
    if (rail.kind === "GUARD_RAIL_KIND_REASON_REQUIRED")
      return hasReason(arrival) ? [] : [{ rail, field: REASON_FIELD, must: "required" }];
    if (rail.kind !== "GUARD_RAIL_KIND_ALLOWED_ISSUERS") return [];
    const field = distrusted(rail, next);
    return field === undefined ? [] : [{ rail, field }];
  });
  settle(queries, group, breaches);
}

/** Checks the name of a record that is created or renamed in a group. */
export async function checkName(
  queries: Queries,
  {
    collection,
    uid,
    group,
    name,
  }: {
    readonly collection: "groups" | "identities" | "repos";
    readonly uid: string;
    readonly group: string;
    readonly name: string;
  },
): Promise<void> {
  // The name of an organization is not within one.
  if (group === "") return;
  const rails = (await railsAt(queries, group)).filter(
    (rail) =>
      rail.kind === "GUARD_RAIL_KIND_NAME_PATTERN" &&
      namedCollection(rail) === collection &&
      isMisnamed(rail, name) &&
      !isExcepted(rail.exceptions, { identity: uid, within: [group, uid] }, now().getTime()),
  );
  settle(
    queries,
    group,
    rails.map((rail) => ({ rail, field: "name", must: "must be another name" })),
  );
}

/** Rows that a change of a role looks at, for each guard rail. */
const LOOKED_AT = 1_000;

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
    const found = await bindingsBreaking(queries, rail, { roles: [uid], limit: LOOKED_AT, unknown: true });
    const broken = found.some(
      ({ identity, group }) => !isExcepted(rail.exceptions, { identity, within: [group] }, now().getTime()),
    );
    if (broken) breaches.push({ rail, field: "capabilities", must: "must not give its holders so much" });
  }
  settle(queries, rootOf(uid), breaches);
}
