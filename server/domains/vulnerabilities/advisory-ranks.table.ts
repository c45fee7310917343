import { fromVector } from "ae-cvss-calculator";

import { ratedOf, severityRank } from "platform-contract/vulnerabilities/rating";
import type { Severity } from "platform-contract/vulnerabilities/severity";

import { unlogged } from "../../platform/store/audit";
import type { Database, Queries } from "../../platform/store/database";
import type { SortColumn } from "../../platform/store/table";

/** Ascends in both directions, each with an index of its own; what is unknown comes last in both. */
const unknownLast = (value: string): SortColumn => ({
  sql: `coalesce(${value}, 1e12)`,
  descending: `coalesce(-${value}, 1e12)`,
  type: "text",
});

/** SQL: how lists of advisories `t` are sorted by the severity that they show, and by the time of the newest approved event. */
export const RANKED = {
  severity: unknownLast("nullif(t.severity_rank, -1)"),
  latest_event_time: unknownLast("extract(epoch from t.latest_event_at at time zone 'UTC')"),
};

/** SQL: the events `e` that say what is the case, with their sources `s`. */
export const COUNTS = "e.review_state = 'REVIEW_STATE_APPROVED' and s.withdrawn_at is null";

/** The columns of a vulnerability's severity; -1 without one that can be rated. */
export function rankColumns(severities: readonly Severity[]) {
  const [shown] = ratedOf(severities, fromVector);
  return {
    severity_rank: shown ? severityRank(shown) : -1,
    severity_version: shown?.version ?? "",
  };
}

/** SQL: the rank of the severity that is shown for these aliases; null while it is not known of all of them. */
export const rankOf = (aliases: string): string => `(
  select case when bool_or(m.severity_rank is null) then null else coalesce((array_agg(m.severity_rank
    order by m.severity_version desc, m.severity_rank desc) filter (where m.severity_rank >= 0))[1], -1) end
  from vulnerability_metadata m where m.id = any(${aliases}))`;

/** Rows of one transaction. */
const AT_ONCE = 200;

type Row = Readonly<Record<"id", string>>;
/** The key of the last row that was looked at, or undefined if there are no more. */
type Last = string | undefined;

/** A row that somebody else is writing is left to them, or to the next time: nobody waits for anybody. */
async function rankVulnerabilities(queries: Queries, after: string): Promise<Last> {
  const rows = await queries.query<Row & { severities: readonly Severity[] }>(
    `select id, severities from vulnerability_metadata where severity_rank is null and id > $1
     order by id limit ${AT_ONCE} for update skip locked`,
    [after],
  );
  await queries.query(
    `update vulnerability_metadata m set severity_rank = r.severity_rank, severity_version = r.severity_version
     from jsonb_to_recordset($1::jsonb) as r (id text, severity_rank smallint, severity_version text) where m.id = r.id`,
    [JSON.stringify(rows.map(({ id, severities }) => ({ id, ...rankColumns(severities) })))],
  );
  return rows.at(-1)?.id;
}

async function rankAdvisories(queries: Queries, after: string): Promise<Last> {
  // No reader sees a difference in the rows.
  await unlogged(queries);
  const rows = await queries.query<Row>(
    `select uid as id from advisories where severity_rank is null and uid > $1
     order by uid limit ${AT_ONCE} for update skip locked`,
    [after],
  );
  await queries.query(
    `update advisories t set severity_rank = ${rankOf("t.aliases")}, latest_event_at = (select max(e.created_at)
       from advisory_events e left join advisory_sources s on s.advisory_uid = e.advisory_uid and s.source = e.source
       where e.advisory_uid = t.uid and ${COUNTS})
     where t.uid = any($1::text[])`,
    [rows.map(({ id }) => id)],
  );
  return rows.at(-1)?.id;
}

/**
 * Fills in what advisories are sorted by, where a migration left it open: some rows in a transaction.
 * @param turn runs each of them; false to stop
 */
export async function fillRanks(
  database: Database,
  turn: (work: () => Promise<Last>) => Promise<Last | false>,
): Promise<void> {
  for (const rank of [rankVulnerabilities, rankAdvisories])
    for (let after: Last = ""; after !== undefined;) {
      const from: string = after;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const last = await turn(() => database.transaction((queries) => rank(queries, from)));
      if (last === false) return;
      after = last;
    }
}

/** True if something is left to fill in. */
export async function isUnranked(queries: Queries): Promise<boolean> {
  const [found] = await queries.query<{ left: boolean }>(
    `select exists (select 1 from vulnerability_metadata where severity_rank is null)
       or exists (select 1 from advisories where severity_rank is null) as left`,
  );
  return found?.left === true;
}
