import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { Parameters, withinAny, withinListed } from "../../platform/store/sql";

/** Calls of one identity that needed a capability at a group, or at a record in it, on one day (UTC). */
export interface CountedUse {
  readonly identity: string;
  readonly capability: string;
  readonly place: string;
  /** The caller has other identities: it counts only if this one holds the capability there. */
  readonly shared: boolean;
  readonly calls: number;
  readonly first: Date;
  readonly last: Date;
}

/** Adds calls to what is counted. Those at places outside of groups, and of identities that are gone, are left out. */
export async function addUse(queries: Queries, counted: readonly CountedUse[]): Promise<void> {
  if (counted.length === 0) return;
  // Always in the same order, so that two writers cannot deadlock.
  await queries.query(
    `insert into capability_use as u (identity_uid, group_uid, capability, day, calls, first_at, last_at)
     select c.identity, g.uid, c.capability, (c.last at time zone 'UTC')::date, sum(c.calls), min(c.first), max(c.last)
     from jsonb_to_recordset($1::jsonb) as c (identity text, capability text, place text, shared boolean, calls bigint,
       first timestamptz, last timestamptz)
       join identities i on i.uid = c.identity collate "C"
       cross join lateral (select x.uid from groups x
         where x.uid in (select left(c.place, n) collate "C" from generate_series(40, length(c.place), 17) n)
         order by length(x.uid) desc limit 1) g
     where not c.shared or exists (select 1 from role_bindings b join roles r on r.uid = b.role_uid
       where b.identity_uid = i.uid and (b.parent = g.uid or starts_with(g.uid, b.parent || '/'))
         and r.capabilities @> array[c.capability])
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
     on conflict (identity_uid, group_uid, capability, day) do update set calls = u.calls + excluded.calls,
       first_at = least(u.first_at, excluded.first_at), last_at = greatest(u.last_at, excluded.last_at)`,
    [JSON.stringify(counted)],
  );
}

/** Removes use that is older than so many days, and that in organizations that are gone. */
export async function sweepUse(queries: Queries, days: number): Promise<void> {
  await queries.query(
    `delete from capability_use u where day <= ($1::timestamptz at time zone 'UTC')::date - $2::int
       or not exists (select 1 from groups g where g.uid = left(u.group_uid, 40))`,
    [now(), days],
  );
}

/** Remembers that use is recorded from now on, if it was not before. */
export async function startUse(queries: Queries): Promise<void> {
  await queries.query("insert into capability_use_start (started_at) values ($1) on conflict do nothing", [
    now(),
  ]);
}

/** Since when use is recorded; undefined if it never was. */
export async function recordedSince(queries: Queries): Promise<Date | undefined> {
  const [row] = await queries.query<{ started_at: Date }>("select started_at from capability_use_start");
  return row?.started_at;
}

export interface UseQuestion {
  /** A group: also what is below it. */
  readonly within?: string | undefined;
  readonly identity?: string | undefined;
  readonly capability?: string | undefined;
  /** Days from that of this time on (UTC). */
  readonly since?: string | undefined;
  readonly byDay: boolean;
  /** Topmost groups where the caller sees everybody's, and the caller's own identities. */
  readonly visible: readonly string[];
  readonly own: readonly string[];
}

interface UseRow {
  readonly identity: string;
  readonly group: string;
  readonly capability: string;
  readonly day: string;
  readonly calls: number | bigint;
  readonly first: Date;
  readonly last: Date;
}

function selected(question: UseQuestion, { bind }: Parameters): string {
  const { within, identity, capability, since, byDay, visible, own } = question;
  const where = [
    `(${withinListed("u.group_uid", visible, bind)} or u.identity_uid = any(${bind(own)}::text[]))`,
    ...(within === undefined ? [] : [withinAny("u.group_uid", [within], bind)]),
    ...(identity === undefined ? [] : [`u.identity_uid = ${bind(identity)}`]),
    ...(capability === undefined ? [] : [`u.capability = ${bind(capability)}`]),
    ...(since === undefined ? [] : [`u.day >= (${bind(since)}::timestamptz at time zone 'UTC')::date`]),
  ];
  return `select u.identity_uid as identity, u.group_uid as "group", u.capability,
      ${byDay ? "to_char(u.day, 'YYYY-MM-DD')" : "''"} collate "C" as day, sum(u.calls)::bigint as calls,
      min(u.first_at) as first, max(u.last_at) as last
    from capability_use u where ${where.join(" and ")} group by 1, 2, 3, 4`;
}

/** The rows after a key, by identity, group, capability and day. */
export function listUse(
  queries: Queries,
  question: UseQuestion,
  page: { readonly after?: readonly string[] | undefined; readonly skip: number; readonly limit: number },
): Promise<UseRow[]> {
  const parameters = new Parameters();
  const { values, bind } = parameters;
  const rows = selected(question, parameters);
  const after = page.after
    ? `where (identity, "group", capability, day) > (${page.after.map(bind).join(", ")})`
    : "";
  return queries.query<UseRow>(
    `select * from (${rows}) t ${after} order by identity, "group", capability, day
     limit ${bind(page.limit)} offset ${bind(page.skip)}`,
    values,
  );
}

export async function countUse(queries: Queries, question: UseQuestion): Promise<string> {
  const parameters = new Parameters();
  const [row] = await queries.query(
    `select count(*) as n from (${selected(question, parameters)}) t`,
    parameters.values,
  );
  return String(row?.["n"] ?? 0);
}
