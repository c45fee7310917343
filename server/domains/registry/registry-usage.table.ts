import type { UsageGrouping, UsageRow } from "platform-contract/registry/usage";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { Parameters, withinAny, withinListed } from "../../platform/store/sql";

/** Pulls of one repo, reference, identity, day and method. */
export interface CountedPulls {
  readonly repo: string;
  /** Null for pulls by digest. */
  readonly tag: string | null;
  readonly digest: string;
  readonly identity: string;
  /** The first and the last of them. */
  readonly first: Date;
  readonly last: Date;
  readonly asked: number;
  readonly downloaded: number;
}

/** Tags of one digest for which its pulls count. */
const MOST_TAGS = 1_000;

/** SQL: the tags that have named a digest at some time since a moment. */
const namedSince = (repo: string, digest: string, since: string): string =>
  `(select h.tag from tag_history h where h.repo_uid = ${repo} and h.digest = ${digest} and not exists (
     select 1 from tag_history l where l.repo_uid = h.repo_uid and l.tag = h.tag and l.since > h.since
       and l.since <= ${since})
   group by h.tag limit ${MOST_TAGS})`;

/**
 * Adds pulls to what is counted of their repos, digests and tags. A pull by digest counts for the tags that named it; the
 * pull of one architecture by its digest is use of the tags of its index, whose own pull is counted already. Of an identity
 * that is gone meanwhile only the day is kept.
 */
export async function addPulls(queries: Queries, pulls: readonly CountedPulls[]): Promise<void> {
  if (pulls.length === 0) return;
  // Always in the same order, so that two writers cannot deadlock.
  await queries.query(
    `with given as (
       select p.*, (p.last at time zone 'UTC')::date as day, i.uid is not null as is_known
       from jsonb_to_recordset($1::jsonb) as p (repo text, tag text, digest text, identity text, first timestamptz,
         last timestamptz, asked int, downloaded int)
         join repos r on r.uid = p.repo collate "C" left join identities i on i.uid = p.identity collate "C"),
     counted as (
       select repo, '' as reference, day, identity, asked, downloaded, asked > 0 as is_asked, last, is_known from given
       union all select repo, digest, day, identity, asked, downloaded, asked > 0, last, is_known from given
       union all select repo, tag, day, identity, asked, downloaded, asked > 0, last, is_known from given
         where tag is not null
       union all select g.repo, n.tag, g.day, g.identity, g.asked, g.downloaded, g.asked > 0, g.last, g.is_known
         from given g cross join lateral ${namedSince("g.repo", "g.digest", "g.first")} n where g.tag is null
       union all select g.repo, n.tag, g.day, g.identity, 0, 0, g.asked > 0, g.last, g.is_known
         from given g join registry_images x on x.repo_uid = g.repo collate "C" and x.children @> array[g.digest]
           cross join lateral ${namedSince("g.repo", "x.digest", "g.first")} n),
     days as (
       insert into registry_usage as u (repo_uid, reference, identity_uid, day, asked, downloaded)
       select repo, reference, identity, day, sum(asked), sum(downloaded)
       from counted where is_known group by 1, 2, 3, 4 having sum(asked) + sum(downloaded) > 0 order by 1, 2, 3, 4
       on conflict (repo_uid, reference, identity_uid, day) do update set asked = u.asked + excluded.asked,
         downloaded = u.downloaded + excluded.downloaded),
     forgotten as (
       insert into registry_forgotten_pulls as f (repo_uid, reference, asked_on, downloaded_on)
       select repo, reference, max(day) filter (where is_asked), max(day) filter (where not is_asked)
       from counted where not is_known group by 1, 2 order by 1, 2
       on conflict (repo_uid, reference) do update set asked_on = greatest(f.asked_on, excluded.asked_on),
         downloaded_on = greatest(f.downloaded_on, excluded.downloaded_on))
     insert into registry_last_pulls as p (repo_uid, reference, identity_uid, asked_at, downloaded_at)
     select repo, reference, identity, max(last) filter (where is_asked), max(last) filter (where not is_asked)
     from counted where is_known group by 1, 2, 3 order by 1, 2, 3
     on conflict (repo_uid, reference, identity_uid) do update
       set asked_at = greatest(p.asked_at, excluded.asked_at),
         downloaded_at = greatest(p.downloaded_at, excluded.downloaded_at)`,
    [JSON.stringify(pulls)],
  );
}

/** Remembers notifications as counted. @returns those that were not before */
export async function claimEvents(queries: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await queries.query<{ id: string }>(
    `insert into registry_counted_events (id, counted_at) select id, $2 from unnest($1::text[]) as e (id) order by id
     on conflict (id) do nothing returning id`,
    [ids, now()],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Forgets notifications that were counted before this time. */
export async function forgetEvents(queries: Queries, before: Date): Promise<void> {
  await queries.query("delete from registry_counted_events where counted_at < $1", [before]);
}

/** Removes pulls that are older than so many days. */
export async function sweepUsage(queries: Queries, days: number): Promise<void> {
  const first = "($1::timestamptz at time zone 'UTC')::date - $2::int";
  await queries.query(`delete from registry_usage where day <= ${first}`, [now(), days]);
  await queries.query(
    `delete from registry_last_pulls where greatest(asked_at, downloaded_at) < (${first} + 1)::timestamp at time zone 'UTC'`,
    [now(), days],
  );
  await queries.query(
    `delete from registry_forgotten_pulls where greatest(asked_on, downloaded_on) <= ${first}`,
    [now(), days],
  );
}

/** Remembers that pulls are counted from now on, if they were not before. */
export async function startUsage(queries: Queries): Promise<void> {
  await queries.query("insert into registry_usage_start (started_at) values ($1) on conflict do nothing", [
    now(),
  ]);
}

/** Since when pulls are counted; undefined if they never were. */
export async function countedSince(queries: Queries): Promise<Date | undefined> {
  const [row] = await queries.query<{ started_at: Date }>("select started_at from registry_usage_start");
  return row?.started_at;
}

export interface UsageQuestion {
  readonly by: readonly UsageGrouping[];
  readonly days: number;
  /** A group or a repo. */
  readonly within?: string | undefined;
  /** Repos or tags. */
  readonly ids?: readonly string[] | undefined;
  readonly identity?: string | undefined;
  readonly deprecated: boolean;
  /** Topmost groups where the caller sees everybody's, and the caller's own identities. */
  readonly visible: readonly string[];
  readonly own: readonly string[];
  /** Uids of identities. */
  readonly scanners: readonly string[];
  /** Rows at most. */
  readonly most: number;
}

/** The columns of a grouping in an answer. */
const COLUMNS: Readonly<Record<UsageGrouping, readonly (readonly [string, string])[]>> = {
  USAGE_GROUPING_DAY: [["to_char(u.day, 'YYYY-MM-DD')", "day"]],
  USAGE_GROUPING_REPO: [
    ["u.repo_uid", "repo"],
    ["r.name", '"repoName"'],
  ],
  USAGE_GROUPING_TAG: [
    ["u.repo_uid", "repo"],
    ["r.name", '"repoName"'],
    ["t.uid", "tag"],
    ["u.reference", '"tagName"'],
  ],
  USAGE_GROUPING_IDENTITY: [
    ["u.identity_uid", "identity"],
    ["i.name", '"identityName"'],
    ["u.scanner", "scanner"],
  ],
};

type Counted = Omit<UsageRow, "lastDownloadTime" | "lastAskTime"> & {
  readonly lastDownloadTime: Date | null;
  readonly lastAskTime: Date | null;
};

/** Counts pulls. One row more than `most` says that there are more. */
export async function countUsage(queries: Queries, question: UsageQuestion): Promise<Counted[]> {
  const { by, days, within, ids, identity, deprecated, visible, own, scanners, most } = question;
  const { values, bind } = new Parameters();
  // A uid of a tag begins with its repo's.
  const tagIds = ids === undefined ? [] : await readTagIds(queries, ids);
  const ofTags = by.includes("USAGE_GROUPING_TAG") || deprecated || tagIds.length > 0;
  const where = [
    `(${withinListed("u.repo_uid", visible, bind)} or u.identity_uid = any(${bind(own)}::text[]))`,
    ofTags ? "u.reference <> '' and u.reference not like 'sha256:%'" : "u.reference = ''",
  ];
  if (within !== undefined) where.push(withinAny("u.repo_uid", [within], bind));
  if (identity !== undefined) where.push(`u.identity_uid = ${bind(identity)}`);
  if (ids !== undefined)
    where.push(
      tagIds.length > 0
        ? `(u.repo_uid, u.reference) in (select x.parent, x.name from tags x where x.uid = any(${bind(tagIds)}::text[]))`
        : `u.repo_uid = any(${bind(ids)}::text[])`,
    );
  if (deprecated)
    where.push("(u.repo_uid, u.reference) in (select x.parent, x.name from tags x where x.deprecated)");
  const at = bind(now());
  const from = `(${at}::timestamptz at time zone 'UTC')::date - ${bind(days - 1)}::int`;
  const isScanner = `u.identity_uid = any(${bind(scanners)}::text[]) as scanner`;
  const byDay = by.includes("USAGE_GROUPING_DAY");
  // Of a day that is kept alone, the end: no pull of it was later.
  const endOf = (day: string) =>
    `least(${at}::timestamptz, (${day} + 1)::timestamp at time zone 'UTC' - interval '1 millisecond')`;
  const wanted = where.join(" and ");
  // Of each identity the last pulls, with what it pulled in the period, and of those that are gone the last days; by day,
  // the days of the period alone. Each part has the conditions: after the union, everybody's days would have been added up.
  const pulls = byDay
    ? `select u.*, ${isScanner}, null::timestamptz as asked_at, null::timestamptz as downloaded_at
       from registry_usage u where u.day >= ${from} and ${wanted}`
    : `select u.*, ${isScanner}, c.asked, c.downloaded from registry_last_pulls u
         cross join lateral (select sum(d.asked) as asked, sum(d.downloaded) as downloaded from registry_usage d
           where d.repo_uid = u.repo_uid and d.reference = u.reference and d.identity_uid = u.identity_uid
             and d.day >= ${from}) c
         where ${wanted}
       union all select u.repo_uid, u.reference, null, case when u.asked_on is not null then ${endOf("u.asked_on")} end,
         case when u.downloaded_on is not null then ${endOf("u.downloaded_on")} end, false, 0, 0
         from (select *, null::text as identity_uid from registry_forgotten_pulls) u where ${wanted}`;
  const columns = [
    ...new Map(by.flatMap((one) => COLUMNS[one]).map((column) => [column[1], column])).values(),
  ];
  const groups = columns.map((_, index) => index + 1).join(", ");
  return queries.query<Counted>(
    `select ${columns.map(([sql, name]) => `${sql} as ${name},`).join(" ")}
       coalesce(sum(u.downloaded) filter (where not u.scanner), 0)::int as downloads,
       coalesce(sum(u.asked + case when u.scanner then u.downloaded else 0 end), 0)::int as asks,
       max(u.downloaded_at) filter (where not u.scanner) as "lastDownloadTime",
       max(greatest(u.asked_at, case when u.scanner then u.downloaded_at end)) as "lastAskTime"
     from (${pulls}) u
       join repos r on r.uid = u.repo_uid
       ${ofTags ? "left join tags t on t.parent = u.repo_uid and t.name = u.reference" : ""}
       ${by.includes("USAGE_GROUPING_IDENTITY") ? "join identities i on i.uid = u.identity_uid" : ""}
     ${groups === "" ? "" : `group by ${groups}`}
     ${deprecated ? "having sum(u.asked + u.downloaded) filter (where not u.scanner) > 0" : ""}
     order by ${byDay ? "1" : `downloads desc, asks desc${groups && `, ${groups}`}`} limit ${bind(most + 1)}`,
    values,
  );
}

const readTagIds = async (queries: Queries, ids: readonly string[]): Promise<string[]> =>
  (await queries.query<{ uid: string }>("select uid from tags where uid = any($1::text[])", [ids])).map(
    ({ uid }) => uid,
  );
