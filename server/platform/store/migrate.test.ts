import { expect, test } from "vitest";

import { openMigrated } from "../../testing/database";
import { migrate } from "./migrate";
import { migrations } from "./migrations/index";

test("migrations are numbered without gaps, and no number is there twice", () => {
  const numbers = migrations.map(({ id }) => Number(id.slice(0, 3)));
  expect(numbers).toEqual(Array.from(migrations, (_, index) => index + 1));
});

test("a migration that fails leaves nothing, and runs as a whole once it is fixed", async () => {
  const database = await openMigrated();
  const failing = {
    id: "999-failing",
    statements: ["create table halves (a int)", "insert into halves values ('no number')"],
  };
  await expect(migrate(database, [...migrations, failing])).rejects.toThrow("invalid input syntax");
  expect(await database.query("select to_regclass('halves') as at")).toEqual([{ at: null }]);
  const fixed = { ...failing, statements: ["create table halves (a int)"] };
  await migrate(database, [...migrations, fixed]);
  expect(await database.query("select * from halves")).toEqual([]);
  await database.close();
});
