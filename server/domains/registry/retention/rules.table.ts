import { ancestorsOf } from "platform-contract/aip";
import { ruleSentence } from "platform-contract/registry/retention-decision";
import type { RetentionState, RetentionValues } from "platform-contract/registry/retention";

import { now } from "../../../platform/store/clock";
import type { Queries } from "../../../platform/store/database";
import { later, standardSort, time, type Table, type Texts } from "../../../platform/store/table";

export type RuleRow = Texts<"uid" | "parent" | "place_name"> & {
  readonly repo_uid: string | null;
  readonly settings: RetentionValues;
  readonly state: RetentionState;
  readonly version: number;
  readonly set_by: string | null;
  readonly set_by_name: string | null;
  readonly set_at: Date;
  readonly confirmed_by: readonly string[] | null;
  readonly confirmed_by_name: string | null;
  readonly confirmed_at: Date | null;
  readonly confirmed_deletions: number | null;
  readonly stop_reason: string | null;
  readonly last_run_at: Date | null;
  readonly last_run_deletions: number | null;
  readonly updated_at: Date;
};

export const rulesTable: Table<RuleRow> = {
  name: "retention_rules",
  keyedByParent: true,
  joins: `left join identities s on s.uid = t.set_by left join identities c on c.uid = t.confirmed_by[1]
    join groups g on g.uid = t.parent left join repos r on r.uid = t.repo_uid`,
  columns: `t.uid, t.parent, t.repo_uid, coalesce(r.name, g.name) as place_name, t.settings, t.state, t.version, t.set_by,
    s.name as set_by_name, t.set_at, t.confirmed_by, c.name as confirmed_by_name, t.confirmed_at, t.confirmed_deletions,
    t.stop_reason, t.last_run_at, t.updated_at,
    (select case when u.ended_at is not null then (select count(*)::int from retention_deletions d
        where d.parent = u.uid and d.state <> 'RETENTION_DELETION_STATE_FAILED') end
      from retention_runs u where u.parent = t.uid order by u.created_at desc limit 1) as last_run_deletions`,
  sort: { updated_at: standardSort["updated_at"]! },
  filters: { state: (state, bind) => `t.state = ${bind(state)}` },
  toItem: (row) => ({
    uid: row.uid,
    placeName: row.place_name,
    isRepo: row.repo_uid !== null,
    ...row.settings,
    sentence: ruleSentence(row.settings),
    state: row.state,
    version: row.version,
    setBy: row.set_by ?? undefined,
    setByName: row.set_by_name ?? undefined,
    setTime: time(row.set_at),
    confirmedBy: row.confirmed_by?.[0],
    confirmedByName: row.confirmed_by_name ?? undefined,
    confirmTime: time(row.confirmed_at),
    confirmedDeletions: row.confirmed_deletions ?? undefined,
    stopReason: row.stop_reason ?? undefined,
    lastRunTime: time(row.last_run_at),
    lastRunDeletions: row.last_run_at ? (row.last_run_deletions ?? undefined) : undefined,
    updateTime: time(row.updated_at),
  }),
};

const SELECT = `select ${rulesTable.columns} from retention_rules t ${rulesTable.joins}`;

export async function readRule(queries: Queries, place: string): Promise<RuleRow | undefined> {
  const [row] = await queries.query<RuleRow>(`${SELECT} where t.uid = $1`, [place]);
  return row;
}

/** Locks a rule until the transaction ends: what changes it waits, and so does a batch of its run. */
export async function lockRule(queries: Queries, place: string): Promise<RuleRow | undefined> {
  const rows = await queries.query("select 1 from retention_rules where uid = $1 for update", [place]);
  return rows.length === 0 ? undefined : readRule(queries, place);
}

/** The rule that decides at a group or repo: its own, or the nearest above; undefined without any. */
export async function ruleAbove(queries: Queries, place: string): Promise<RuleRow | undefined> {
  const [row] = await queries.query<RuleRow>(
    `${SELECT} where t.uid = any($1::text[]) order by length(t.uid) desc limit 1`,
    [[...ancestorsOf(place), place]],
  );
  return row;
}

/** True for the uid of a group or repo. */
export async function isPlace(queries: Queries, uid: string): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from groups where uid = $1 union all select 1 from repos where uid = $1",
    [uid],
  );
  return rows.length > 0;
}

/** What a uid is, with its name and group; undefined if there is no such group or repo. Locks it against deletion. */
export async function lockPlace(
  queries: Queries,
  uid: string,
): Promise<{ readonly name: string; readonly parent: string; readonly repo: string | null } | undefined> {
  const [group] = await queries.query<{ name: string }>(
    "select name from groups where uid = $1 for key share",
    [uid],
  );
  if (group) return { name: group.name, parent: uid, repo: null };
  const [repo] = await queries.query<{ name: string; parent: string }>(
    "select name, parent from repos where uid = $1 for key share",
    [uid],
  );
  return repo && { ...repo, repo: uid };
}

/** Stores new values: the next version, unconfirmed. */
export async function storeRule(
  queries: Queries,
  rule: {
    readonly uid: string;
    readonly parent: string;
    readonly repo: string | null;
    readonly settings: RetentionValues;
    readonly by: string | null;
  },
): Promise<void> {
  await queries.query(
    `insert into retention_rules as t (uid, parent, repo_uid, settings, state, version, set_by, set_at, created_at, updated_at)
     values ($1, $2, $3, $4::jsonb, 'RETENTION_STATE_UNCONFIRMED', 1, $5, $6, $6, $6)
     on conflict (uid) do update set settings = excluded.settings, state = excluded.state, version = t.version + 1,
       set_by = excluded.set_by, set_at = excluded.set_at, confirmed_by = null, confirmed_at = null,
       confirmed_deletions = null, stop_reason = null, updated_at = ${later("t.updated_at", "excluded.updated_at")}`,
    [rule.uid, rule.parent, rule.repo, JSON.stringify(rule.settings), rule.by, now()],
  );
}

/** @param by the identities of whoever confirms */
export async function storeConfirmation(
  queries: Queries,
  place: string,
  by: readonly string[],
  deletions: number,
): Promise<void> {
  // It runs at once: what was previewed is what is deleted.
  await queries.query(
    `update retention_rules set state = 'RETENTION_STATE_RUNNING', confirmed_by = $2, confirmed_at = $3,
       confirmed_deletions = $4, stop_reason = null, last_run_at = null, updated_at = ${later("updated_at", "$3")}
     where uid = $1`,
    [place, by, now(), deletions],
  );
}

/** @param reason null if a person stopped it */
export async function storeStop(queries: Queries, place: string, reason: string | null): Promise<void> {
  await queries.query(
    `update retention_rules set state = 'RETENTION_STATE_OFF', stop_reason = $2,
       updated_at = ${later("updated_at", "$3")} where uid = $1`,
    [place, reason, now()],
  );
}

export const removeRule = (queries: Queries, place: string): Promise<unknown> =>
  queries.query("delete from retention_rules where uid = $1", [place]);

/** Rules that run and have not run since a moment, and those whose run is not over, in no order of organizations. */
export async function dueRules(queries: Queries, before: Date): Promise<readonly string[]> {
  const rows = await queries.query<{ uid: string }>(
    `select uid from retention_rules where state = 'RETENTION_STATE_RUNNING' and (last_run_at is null or last_run_at < $1)
     union select parent from retention_runs where ended_at is null order by 1`,
    [before],
  );
  return rows.map(({ uid }) => uid);
}

/** True if one of these identities is a person whose directory has deactivated them. */
export async function isDeactivated(queries: Queries, identities: readonly string[]): Promise<boolean> {
  const rows = await queries.query(
    `select 1 from identities i join upstream_accounts a on a.subject = i.subject
     where i.uid = any($1::text[]) and i.parent is null and a.deactivated_at is not null`,
    [identities],
  );
  return rows.length > 0;
}
