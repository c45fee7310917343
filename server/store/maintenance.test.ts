import { expect, test } from "vitest";

import { openMigrated } from "../testing/database";
import type { Database } from "./database";
import { sweep, vacuum } from "./maintenance";

test("a table that has grown gets new figures, one that has not keeps its own", async () => {
  const database = await openMigrated();
  const figures = async () =>
    (
      await database.query<{ n: number }>(
        "select reltuples::int as n from pg_class where relname in ('groups', 'roles') order by relname",
      )
    ).map(({ n }) => n);
  const [, roles] = await figures();
  await database.query(
    `insert into groups (uid, name, created_at, updated_at)
     select lpad(to_hex(n), 40, '0'), 'grown', now(), now() from generate_series(1, 1500) n`,
  );
  await vacuum(database);
  expect(await figures()).toEqual([1_500, roles]);
  await database.close();
});

test("expired invites of an organization with many do not delay those of others", async () => {
  const database = await openMigrated();
  const invite = (digit: string, count: number) =>
    database.query(
      `with made as (insert into groups (uid, name, created_at, updated_at) values ($1, $1, now(), now()) returning uid)
       insert into group_invites (uid, parent, role_uid, expires_at, code_hash, created_at, updated_at)
       select uid || '/' || lpad(to_hex(n), 16, '0'), uid, 'role', now() - interval '31 days', $1 || n, now(), now()
       from made, generate_series(1, $2::int) n`,
      [digit.repeat(40), count],
    );
  // In the order of their uids.
  await invite("a", 950);
  await invite("b", 3);
  const removed: string[] = [];
  const noted: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((queries) =>
        work({
          query: async (sql, parameters) => {
            const rows = await queries.query(sql, parameters);
            if (sql.startsWith("delete from group_invites"))
              removed.push(`${String(parameters?.[1])[0]} ${rows.length}`);
            return rows as never;
          },
        }),
      ),
  };
  await sweep(noted);
  expect(removed.slice(0, 2)).toEqual(["a 100", "b 3"]);
  expect(removed).toHaveLength(11);
  expect(await database.query("select 1 from group_invites")).toEqual([]);
  await database.close();
});
