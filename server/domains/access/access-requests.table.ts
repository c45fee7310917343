import { isWithin } from "platform-contract/aip";

import { removalsOf, type Removal } from "../../platform/store/audit-access";
import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { time, type Table, type Texts } from "../../platform/store/table";
import { newChildUid } from "../../platform/store/uids";
import { confirmed } from "./people.table";

const DAY_MS = 24 * 3600_000;
/** Days that requests and their answers are kept. */
const KEPT_DAYS = 30;
/** Requests of one person within a day. */
const MOST_A_DAY = 20;

/** SQL: a role that the person was given, there or above, since they asked; also by an invite or a directory. */
const GRANTED = `(t.granted_at is not null or exists (select 1 from role_bindings b
  where b.identity_uid = t.identity_uid and b.created_at >= t.created_at
    and (b.parent = t.parent or starts_with(t.parent, b.parent || '/'))))`;

type AccessRequestRow = Texts<
  "uid" | "parent" | "group_name" | "identity_uid" | "name" | "email" | "email_unverified" | "message"
> & { readonly created_at: Date; readonly confirmed: boolean };

/** Requests that wait for an answer. Those for groups that do not exist never do. */
export const accessRequestsTable: Table<AccessRequestRow> = {
  name: "access_requests",
  joins: "join identities i on i.uid = t.identity_uid join groups g on g.uid = t.parent",
  columns: `t.uid, t.parent, g.name as group_name, t.identity_uid, i.name, i.email, i.email_unverified, t.message,
    t.created_at, ${confirmed("i")} as confirmed`,
  sort: { created_at: { sql: "t.created_at", type: "time" } },
  filters: {},
  always: () => [
    "t.declined is null",
    `not ${GRANTED}`,
    "exists (select 1 from groups where uid = t.parent)",
  ],
  toItem: (row) => ({
    uid: row.uid,
    groupUid: row.parent,
    groupName: row.group_name,
    identityUid: row.identity_uid,
    name: row.name,
    email: row.confirmed ? row.email_unverified : row.email,
    emailUnverified: row.confirmed ? "" : row.email_unverified,
    message: row.message,
    createTime: time(row.created_at),
  }),
};

/** Seconds until this person can ask for this group again; 0 if they can now. */
export async function secondsToAsk(queries: Queries, identity: string, group: string): Promise<number> {
  const since = new Date(now().getTime() - DAY_MS);
  const rows = await queries.query<{ parent: string; created_at: Date }>(
    `select parent, created_at from access_requests where identity_uid = $1 and created_at > $2
     order by created_at`,
    [identity, since],
  );
  const again =
    rows.findLast(({ parent }) => parent === group) ?? (rows.length >= MOST_A_DAY ? rows[0] : undefined);
  return again ? Math.ceil((again.created_at.getTime() - since.getTime()) / 1000) : 0;
}

export const storeRequest = (
  queries: Queries,
  { identity, group, message }: { identity: string; group: string; message: string },
): Promise<unknown> =>
  queries.query(
    `insert into access_requests (uid, parent, identity_uid, message, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [newChildUid(group), group, identity, message, now()],
  );

/**
 * Declines a request that waits; returns who asked, or undefined if none waits.
 * @param by the identity that declines
 */
export async function declineRequest(
  queries: Queries,
  uid: string,
  { reason, by }: { readonly reason: string; readonly by: string | undefined },
): Promise<string | undefined> {
  const [row] = await queries.query<{ identity_uid: string }>(
    `update access_requests t set declined = $2, updated_at = $3, decided_by = $4
     where uid = $1 and declined is null and not ${GRANTED} returning identity_uid`,
    [uid, reason, now(), by ?? null],
  );
  return row?.identity_uid;
}

/**
 * Records that a person was given a role at a group, until then: what they asked for there and below is granted, and what
 * they asked for further up, if who gives the role decides there: they chose to give less.
 * @param role uid of the role
 * @param above uids of the groups above it where who gives the role decides
 */
export const grantRequests = async (
  queries: Queries,
  {
    identity,
    group,
    above,
    role,
    until,
    by,
  }: {
    identity: string;
    group: string;
    above: readonly string[];
    role: string;
    until: Date | null;
    by: string | undefined;
  },
): Promise<void> => {
  await queries.query(
    `update access_requests set granted_at = coalesce(granted_at, $3), granted_until = $4, updated_at = $3,
       granted_role = (select r.name || case when access_requests.parent = any($7::text[]) then ' in ' || g.name else '' end
         from roles r, groups g where r.uid = $6 and g.uid = $2),
       decided_by = case when granted_at is null then $5 else decided_by end
     where identity_uid = $1 and (declined is null or granted_at is not null)
       and (parent = $2 or starts_with(parent, $2 || '/') or parent = any($7::text[]) and granted_at is null)`,
    [identity, group, now(), until, by ?? null, role, above],
  );
};

/** A person's requests, newest first. */
export async function requestsOf(queries: Queries, identity: string) {
  const found = await queries.query<{
    parent: string;
    message: string;
    declined: string | null;
    granted: boolean;
    granted_until: Date | null;
    granted_role: string | null;
    created_at: Date;
    decided_at: Date | null;
    by_name: string | null;
    by_email: string | null;
    roles: readonly string[] | null;
  }>(
    `select t.parent, t.message, t.declined, ${GRANTED} as granted, t.granted_until, t.granted_role,
         t.created_at, coalesce(t.granted_at, case when t.declined is not null then t.updated_at end) as decided_at,
         i.name as by_name, coalesce(nullif(i.email, ''), i.email_unverified) as by_email,
         (select array_agg(distinct n.name order by n.name) from role_bindings b join roles r on r.uid = b.role_uid
           join groups g on g.uid = b.parent, lateral (select r.name || case when starts_with(b.parent, t.parent || '/')
             then ' in ' || g.name else '' end as name) n
           where b.identity_uid = t.identity_uid and greatest(b.created_at, b.updated_at) >= t.created_at
             and (b.parent = t.parent or starts_with(t.parent, b.parent || '/')
               or t.granted_at is not null and starts_with(b.parent, t.parent || '/'))
             and (b.expires_at is null or b.expires_at > $2)) as roles
       from access_requests t left join identities i on i.uid = t.decided_by
       where t.identity_uid = $1 order by t.created_at desc, t.uid limit 50`,
    [identity, now()],
  );
  const lost = found.flatMap(({ granted, roles, decided_at: at, created_at: asked }) =>
    granted && roles === null ? [at ?? asked] : [],
  );
  const removals =
    lost.length > 0 ? await namedRemovals(queries, identity, new Date(Math.min(...lost.map(Number)))) : [];
  return found.map(
    ({ parent, message, declined, granted, granted_until: until, created_at: at, roles, ...row }) => ({
      groupUid: parent,
      ...(message !== "" && { message }),
      state: granted ? "granted" : declined === null ? "pending" : "declined",
      ...(declined !== null && !granted && { reason: declined }),
      ...(until && { expirationTime: until.toISOString() }),
      ...(granted && roles && { roleNames: roles }),
      ...(granted && row.granted_role !== null && { grantedRoleName: row.granted_role }),
      createTime: at.toISOString(),
      ...(row.decided_at && { decideTime: row.decided_at.toISOString() }),
      // Whoever is declined may be a stranger, who is told no names.
      ...(granted && row.by_name !== null && { byName: row.by_name }),
      ...(granted && row.by_email && { byEmail: row.by_email }),
      ...(granted && roles === null && removalIn(removals, parent, row.decided_at ?? at, row.granted_role)),
    }),
  );
}

interface NamedRemoval extends Removal {
  /** Name of the role; undefined if it has been deleted since. */
  readonly role: string | undefined;
}

async function namedRemovals(queries: Queries, identity: string, since: Date): Promise<NamedRemoval[]> {
  const removals = await removalsOf(queries, identity, since);
  const roles = await queries.query<{ uid: string; name: string }>(
    "select uid, name from roles where uid = any($1::text[])",
    [removals.map(({ roleUid }) => roleUid)],
  );
  const names = new Map(roles.map(({ uid, name }) => [uid, name]));
  return removals.map((removal) => ({ ...removal, role: names.get(removal.roleUid) }));
}

/** The last removal since then of the role that was given, at a group or above or below it; the log may not have it. */
function removalIn(removals: readonly NamedRemoval[], place: string, since: Date, given: string | null) {
  const here = removals.filter(
    ({ group, at }) => at >= since && (isWithin(place, group) || isWithin(group, place)),
  );
  // Of a request that was answered before roles were kept, only a single removal is surely that of its role.
  const [found, ...others] =
    given === null
      ? here
      : here.filter(({ role }) => role !== undefined && (given === role || given.startsWith(`${role} in `)));
  return found && (given !== null || others.length === 0)
    ? {
        removeTime: found.at.toISOString(),
        ...(found.byName !== undefined && { removedByName: found.byName }),
      }
    : undefined;
}

export async function sweepAccessRequests(queries: Queries): Promise<void> {
  const until = new Date(now().getTime() - KEPT_DAYS * DAY_MS);
  await queries.query("delete from access_requests where created_at < $1", [until]);
}
