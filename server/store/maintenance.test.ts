import { expect, test } from "vitest";

import { openMigrated } from "../testing/database";
import { vacuum } from "./maintenance";

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
