import { afterAll, beforeAll, expect, test } from "vitest";

import { openMigrated } from "../../testing/database";
import type { Database } from "./database";
import { needsRoom, WRITING_FUNCTIONS } from "./on-engine";

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

test.each([
  ["select append_audit($1, $2) from unnest($3::text[])", true],
  ["select 1 from groups where uid = $1 for update", true],
  ["select 1 from groups where uid = $1 for share", true],
  ["select nextval('numbers')", true],
  ["with gone as (delete from tags returning 1) select count(*) from gone", true],
  ["  INSERT into groups values (1)", true],
  ["analyze role_bindings", true],
  ["do $$ begin end $$", true],
  ["refresh materialized view x", true],
  ["select updated_at, share_name from groups order by created_at", false],
  ["select * from noted_changes($1, $2)", false],
  ["set transaction isolation level repeatable read, read only", false],
  ["begin", false],
  ["commit", false],
])("%s: needs room %s", (sql, expected) => {
  expect(needsRoom(sql)).toBe(expected);
});

test("every function of the schema that writes is known", async () => {
  const found = await database.query<{ name: string }>(
    `select distinct proname as name from pg_proc where pronamespace = current_schema()::regnamespace
       and prorettype <> 'trigger'::regtype and provolatile = 'v'
       and prosrc ~* '\\m(insert into|update [a-z_]+ (as )?[a-z]* ?set|delete from)\\M' order by 1`,
  );
  expect(found.map(({ name }) => name)).toEqual([...WRITING_FUNCTIONS]);
});
