import { afterAll, beforeAll, expect, test } from "vitest";

import { openMigrated } from "../../testing/database";
import { LARGE } from "./audit-access";
import type { Database } from "./database";
import { providersAt } from "./mail/recipients";
import { LONG_TEXT, SHORT_TEXT } from "../../domains/vulnerabilities/advisories.table";

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

/** The predicate of an index, as the database understands it. */
async function predicateOf(index: string): Promise<unknown> {
  const [row] = await database.query(
    "select pg_get_expr(indpred, indrelid) as predicate from pg_index where indexrelid = $1::regclass",
    [index],
  );
  return row?.["predicate"];
}

// The planner uses a partial index only for a condition that it can see to be the same.
test.each([
  ["advisories_text", "advisories", `t.deleted_at is null and ${SHORT_TEXT}`],
  ["advisories_long_text", "advisories", `t.deleted_at is null and ${LONG_TEXT}`],
  ["audit_entries_large", "audit_entries", LARGE],
])("the condition of the query is that of the index %s", async (index, table, condition) => {
  const ownCondition = condition.replaceAll("t.", "");
  await database.query(`create index ${index}_again on ${table} (uid) where ${ownCondition}`);
  expect(await predicateOf(`${index}_again`)).toBe(await predicateOf(index));
});

test("whose address it is at an identity provider is found by an index, not by reading all accounts", async () => {
  const plan = await database.transaction(async (queries) => {
    // Otherwise an empty table is read as a whole.
    await queries.query("set local enable_seqscan = off");
    let rows: readonly unknown[] = [];
    const explaining = {
      ...queries,
      query: async (sql: string, values?: readonly unknown[]) =>
        (rows = await queries.query(`explain ${sql}`, values)) as never,
    };
    await providersAt(explaining, "ada@example.com");
    return JSON.stringify(rows);
  });
  expect(plan).toMatch(/Index Cond: \(lower\(email\) = /);
});
