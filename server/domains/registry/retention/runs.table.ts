import { REPORT_DAYS, UNDO_DAYS, type RetentionValues } from "platform-contract/registry/retention";
import { ruleSentence, type Decision } from "platform-contract/registry/retention-decision";
import type { Tag } from "platform-contract/registry/tags";

import { now } from "../../../platform/store/clock";
import type { Queries } from "../../../platform/store/database";
import { insertRows, time, type Table, type Texts } from "../../../platform/store/table";
import { newChildUid } from "../../../platform/store/uids";
import type { RepoOfRule } from "./facts.table";
import type { RuleRow } from "./rules.table";

const DAY_MS = 86_400_000;
const DELETED = "RETENTION_DELETION_STATE_DELETED";
const FAILED = "RETENTION_DELETION_STATE_FAILED";
const RESTORED = "RETENTION_DELETION_STATE_RESTORED";

type RunRow = Texts<"uid" | "place" | "place_name"> & {
  readonly version: number;
  readonly settings: RetentionValues;
  readonly confirmed_by: string | null;
  readonly confirmed_by_name: string | null;
  readonly repos: number;
  readonly kept: number;
  readonly deletions: number;
  readonly failures: number;
  readonly restored: number;
  readonly stop_reason: string | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly last_deletion_at: Date | null;
};

const undoEnd = (at: Date): string => new Date(at.getTime() + UNDO_DAYS * DAY_MS).toISOString();

export const runsTable: Table<RunRow> = {
  name: "retention_runs",
  joins: `join groups g on g.uid = t.group_uid left join repos r on r.uid = t.parent
    left join identities c on c.uid = t.confirmed_by
    left join lateral (select count(*) filter (where d.state <> '${FAILED}')::int as deletions,
        count(*) filter (where d.state = '${FAILED}')::int as failures,
        count(*) filter (where d.state = '${RESTORED}')::int as restored,
        max(d.created_at) filter (where d.state <> '${FAILED}') as last_deletion_at
      from retention_deletions d where d.parent = t.uid) n on true`,
  columns: `t.uid, t.parent as place, coalesce(r.name, g.name) as place_name, t.version, t.settings, t.confirmed_by,
    c.name as confirmed_by_name, t.repos, t.kept, n.deletions, n.failures, n.restored, t.stop_reason, t.created_at,
    t.ended_at, n.last_deletion_at`,
  sort: { created_at: { sql: "t.created_at", type: "time" } },
  filters: {},
  toItem: (row) => ({
    uid: row.uid,
    placeUid: row.place,
    placeName: row.place_name,
    sentence: ruleSentence(row.settings),
    version: row.version,
    confirmedBy: row.confirmed_by ?? undefined,
    confirmedByName: row.confirmed_by_name ?? undefined,
    startTime: time(row.created_at),
    endTime: time(row.ended_at),
    repos: row.repos,
    deletions: row.deletions,
    kept: row.kept,
    failures: row.failures,
    restored: row.restored,
    stopReason: row.stop_reason ?? undefined,
    undoEndTime: row.last_deletion_at ? undoEnd(row.last_deletion_at) : undefined,
  }),
};

export type DeletionRow = Texts<
  "uid" | "parent" | "repo_uid" | "repo_name" | "tag_uid" | "name" | "digest" | "why" | "state"
> & {
  readonly deprecated: boolean;
  readonly bundles: readonly string[];
  readonly failure: string | null;
  readonly restored_by: string | null;
  readonly restored_by_name: string | null;
  readonly restored_at: Date | null;
  readonly created_at: Date;
};

export const deletionsTable: Table<DeletionRow> = {
  name: "retention_deletions",
  joins: "left join identities b on b.uid = t.restored_by",
  columns: `t.uid, t.parent, t.repo_uid, t.repo_name, t.tag_uid, t.name, t.digest, t.deprecated, t.bundles, t.why, t.state,
    t.failure, t.restored_by, b.name as restored_by_name, t.restored_at, t.created_at`,
  sort: { name: { sql: "t.name", type: "text" }, created_at: { sql: "t.created_at", type: "time" } },
  filters: { state: (state, bind) => `t.state = ${bind(state)}` },
  toItem: (row) => ({
    uid: row.uid,
    tagUid: row.tag_uid,
    name: row.name,
    repoUid: row.repo_uid,
    repoName: row.repo_name,
    digest: row.digest,
    why: row.why,
    state: row.state,
    failure: row.failure ?? undefined,
    createTime: time(row.created_at),
    undoEndTime: row.state === DELETED ? undoEnd(row.created_at) : undefined,
    restoredBy: row.restored_by ?? undefined,
    restoredByName: row.restored_by_name ?? undefined,
    restoreTime: time(row.restored_at),
  }),
};

/** A run that is not over. */
export interface OpenRun {
  readonly uid: string;
  readonly place: string;
  readonly place_name: string;
  readonly version: number;
  readonly settings: RetentionValues;
  readonly done_through: string;
}

export async function openRunOf(queries: Queries, place: string): Promise<OpenRun | undefined> {
  const [row] = await queries.query<OpenRun>(
    `select t.uid, t.parent as place, coalesce(r.name, g.name) as place_name, t.version, t.settings, t.done_through
     from retention_runs t join groups g on g.uid = t.group_uid left join repos r on r.uid = t.parent
     where t.parent = $1 and t.ended_at is null order by t.created_at limit 1`,
    [place],
  );
  return row;
}

/** Begins a run of a locked rule. */
export async function beginRun(queries: Queries, rule: RuleRow): Promise<OpenRun> {
  const { version, settings, place_name } = rule;
  const run = { uid: newChildUid(rule.uid), place: rule.uid, place_name, version, settings };
  await queries.query(
    `insert into retention_runs (uid, parent, group_uid, version, settings, confirmed_by, created_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7)`,
    [
      run.uid,
      rule.uid,
      rule.parent,
      rule.version,
      JSON.stringify(rule.settings),
      rule.confirmed_by?.[0] ?? null,
      now(),
    ],
  );
  await queries.query("update retention_rules set last_run_at = $2 where uid = $1", [rule.uid, now()]);
  return { ...run, done_through: "" };
}

/** @param reason why it ends before it is through; null at its end */
export const endRun = (queries: Queries, run: string, reason: string | null): Promise<unknown> =>
  queries.query(
    "update retention_runs set ended_at = $2, stop_reason = coalesce($3, stop_reason) where uid = $1 and ended_at is null",
    [run, now(), reason],
  );

/** Notes that a run is through with a repo. @param reason why it left the repo alone */
export const endRepo = (
  queries: Queries,
  run: string,
  repo: string,
  kept: number,
  reason?: string,
): Promise<unknown> =>
  queries.query(
    `update retention_runs set done_through = $2, repos = repos + 1, kept = kept + $3,
       stop_reason = coalesce($4, stop_reason) where uid = $1`,
    [run, repo, kept, reason ?? null],
  );

/**
 * Locks tags that are to be deleted, and returns those that are as they were: what changed meanwhile stays.
 */
export async function lockUnchanged(queries: Queries, tags: readonly Tag[]): Promise<ReadonlySet<string>> {
  const rows = await queries.query<{ uid: string; digest: string; updated_at: Date }>(
    "select uid, digest, updated_at from tags where uid = any($1::text[]) order by uid for update",
    [tags.map(({ uid }) => uid)],
  );
  const before = new Map(tags.map((tag) => [tag.uid, tag]));
  return new Set(
    rows.flatMap(({ uid, digest, updated_at }) => {
      const tag = before.get(uid);
      return tag?.digest === digest && tag.updateTime === updated_at.toISOString() ? [uid] : [];
    }),
  );
}

export const deleteTags = (queries: Queries, uids: readonly string[]): Promise<unknown> =>
  queries.query("delete from tags where uid = any($1::text[])", [uids]);

/** Adds deletions to the report of a run. `failure`: why nothing was deleted. */
export const reportDeletions = (
  queries: Queries,
  run: string,
  repo: RepoOfRule,
  deletions: readonly Decision[],
  failure?: string,
): Promise<void> =>
  insertRows(
    queries,
    "retention_deletions",
    deletions.map(({ tag, why }) => ({
      uid: newChildUid(run),
      parent: run,
      repo_uid: repo.uid,
      repo_name: repo.name,
      tag_uid: tag.uid,
      name: tag.name,
      digest: tag.digest,
      deprecated: tag.deprecated === true,
      bundles: tag.bundles ?? [],
      why,
      state: failure === undefined ? DELETED : FAILED,
      failure: failure ?? null,
      created_at: now(),
    })),
    { skips: true },
  );

/** Tags of a repo with which a run failed already: it tries each once. */
export async function failedIn(queries: Queries, run: string, repo: string): Promise<ReadonlySet<string>> {
  const rows = await queries.query<{ tag_uid: string }>(
    `select tag_uid from retention_deletions where parent = $1 and repo_uid = $2 and state = '${FAILED}'`,
    [run, repo],
  );
  return new Set(rows.map(({ tag_uid }) => tag_uid));
}

/** Deletions of a run, locked until the transaction ends if they are to be restored. */
export const readDeletions = (
  queries: Queries,
  run: string,
  uids: readonly string[],
  lock: boolean,
): Promise<DeletionRow[]> =>
  queries.query(
    `select ${deletionsTable.columns} from retention_deletions t ${deletionsTable.joins}
     where t.parent = $1 and t.uid = any($2::text[]) order by t.uid ${lock ? "for update of t" : ""}`,
    [run, uids],
  );

/** The place of a run with its group; undefined if there is no such run. */
export async function readRun(
  queries: Queries,
  uid: string,
): Promise<{ readonly place: string; readonly parent: string; readonly name: string } | undefined> {
  const [row] = await queries.query<{ place: string; parent: string; name: string }>(
    `select t.parent as place, t.group_uid as parent, coalesce(r.name, g.name) as name from retention_runs t
       join groups g on g.uid = t.group_uid left join repos r on r.uid = t.parent where t.uid = $1`,
    [uid],
  );
  return row;
}

/** Those of some repos that still exist, and the names that are taken there, as `<repo> <name>`. */
export async function takenNames(
  queries: Queries,
  wanted: readonly { readonly repo_uid: string; readonly name: string }[],
): Promise<{ readonly repos: ReadonlySet<string>; readonly taken: ReadonlySet<string> }> {
  const uids = [...new Set(wanted.map(({ repo_uid }) => repo_uid))];
  const repos = await queries.query<{ uid: string }>(
    "select uid from repos where uid = any($1::text[]) order by uid for key share",
    [uids],
  );
  const taken = await queries.query<{ parent: string; name: string }>(
    `select t.parent, t.name from tags t join unnest($1::text[], $2::text[]) as w (repo, name)
       on t.parent = w.repo collate "C" and t.name = w.name collate "C"`,
    [wanted.map(({ repo_uid }) => repo_uid), wanted.map(({ name }) => name)],
  );
  return {
    repos: new Set(repos.map(({ uid }) => uid)),
    taken: new Set(taken.map(({ parent, name }) => `${parent} ${name}`)),
  };
}

export const storeRestored = (queries: Queries, uid: string, by: string | null): Promise<unknown> =>
  queries.query(
    `update retention_deletions set state = '${RESTORED}', restored_by = $2, restored_at = $3 where uid = $1`,
    [uid, by, now()],
  );

/** Removes reports that are older than they are kept. */
export async function sweepRetention(queries: Queries): Promise<void> {
  await queries.query("delete from retention_runs where ended_at is not null and created_at < $1", [
    new Date(now().getTime() - REPORT_DAYS * DAY_MS),
  ]);
}
