import { afterAll, beforeAll, expect, test } from "vitest";

import { createLog } from "../../log";
import type { Database } from "../../platform/store/database";
import { migrate } from "../../platform/store/migrate";
import { migrations } from "../../platform/store/migrations/index";
import { createStatementTurns } from "../../turns";
import { openEmpty } from "../../testing/database";
import { addGroups, GROUP } from "../../testing/ingesting";
import { startRanking } from "./advisory-ranks";
import { fillRanks, isUnranked, RANKED } from "./advisory-ranks.table";

/** More than one transaction fills in, of each kind. */
const COUNT = 1_201;
const SCORES = ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "MODERATE", "low"];

let database: Database;
beforeAll(async () => {
  database = await openEmpty();
  await migrate(
    database,
    migrations.slice(
      0,
      migrations.findIndex(({ id }) => id.startsWith("051")),
    ),
  );
  await addGroups(database, [GROUP]);
  await database.query(
    `insert into vulnerability_metadata (id, told_by, severities, created_at, updated_at)
     select 'CVE-' || n, 'CVE-' || n, jsonb_build_array(jsonb_build_object('type', 'TYPE_UNSPECIFIED',
       'score', ($2::text[])[1 + n % 3])), now(), now() from generate_series(1, $1::int) n where n % 4 > 0`,
    [COUNT, SCORES],
  );
  await database.query(
    `insert into advisories (uid, parent, advisory_id, artifact_name, origin, aliases, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'ADV-' || n, 'a', 'a', array['CVE-' || n], '2026-01-01',
       '2026-01-01' from generate_series(1, $2::int) n`,
    [GROUP, COUNT],
  );
  // The newest approved one of a record that stands is that of June.
  await database.query(
    `insert into advisory_events (uid, advisory_uid, type, review_state, created_at, source)
     select a.uid || '-' || e.state || e.source, a.uid, 'fixed', 'REVIEW_STATE_' || e.state, e.at::timestamptz, e.source
     from advisories a cross join (values ('APPROVED', '2026-05-01T00:00:00Z', 'stands'),
       ('APPROVED', '2026-06-01T00:00:00.123Z', ''), ('PENDING', '2026-07-01T00:00:00Z', ''),
       ('APPROVED', '2026-08-01T00:00:00Z', 'withdrawn')) e (state, at, source)
     where a.advisory_id <> 'ADV-2'`,
  );
  await database.query(
    `insert into advisory_sources (advisory_uid, source, parent, modified_at, withdrawn_at)
     select uid, s.source, parent, now(), s.at from advisories
     cross join (values ('stands', null), ('withdrawn', timestamptz '2026-09-01')) s (source, at)`,
  );
  await migrate(database);
});
afterAll(() => database.close());

const rows = () =>
  database.query<{ n: number; rank: number | null; at: Date | null; moved: boolean }>(
    `select substr(advisory_id, 5)::int as n, severity_rank as rank, latest_event_at as at,
       updated_at <> '2026-01-01' as moved from advisories order by n`,
  );

test("a migrated database is filled in in turns, as far as it was let", async () => {
  expect((await rows()).filter(({ rank }) => rank !== null)).toEqual([]);
  let turns = 0;
  await fillRanks(database, async (work) => (turns++ < 3 ? work() : false));
  expect(turns).toBe(4);
  expect(await isUnranked(database)).toBe(true);

  const ranking = startRanking({
    database,
    log: createLog("silent"),
    turns: createStatementTurns(database),
  });
  await expect.poll(() => isUnranked(database), { timeout: 60_000 }).toBe(false);
  await ranking.stop();
  const newest = new Date("2026-06-01T00:00:00.123Z");
  expect(await rows()).toEqual(
    Array.from({ length: COUNT }, (_, index) => index + 1).map((n) => ({
      n,
      rank: n % 4 === 0 ? -1 : [4099, -1, 1000][n % 3],
      at: n === 2 ? null : newest,
      moved: false,
    })),
  );
});

const definitionOf = async (index: string): Promise<unknown> =>
  (
    await database.query(
      `select pg_get_expr(indexprs, indrelid) as value, pg_get_expr(indpred, indrelid) as condition
       from pg_index where indexrelid = $1::regclass`,
      [index],
    )
  )[0];

// The planner finds an index only by the same expression.
test.each([
  ["advisories_severity", RANKED.severity.sql],
  ["advisories_severity_down", RANKED.severity.descending],
  ["advisories_latest_event", RANKED.latest_event_time.sql],
  ["advisories_latest_event_down", RANKED.latest_event_time.descending],
])("the order of the query is that of the index %s", async (index, order) => {
  const own = order?.replaceAll("t.", "");
  await database.query(`create index ${index}_again on advisories (${own}, uid) where deleted_at is null`);
  expect(await definitionOf(index)).toEqual(await definitionOf(`${index}_again`));
});
