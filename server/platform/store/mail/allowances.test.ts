import { afterAll, beforeAll, expect, test } from "vitest";

import { openMigrated } from "../../../testing/database";
import type { Database } from "../database";
import { sweepAllowances, take } from "./allowances";

let database: Database;
beforeAll(async () => void (database = await openMigrated()));
afterAll(() => database.close());

const START = Date.now();
const at = (seconds: number) => new Date(START + seconds * 1000);

test("some at once, then one after each pause; who waits as told gets one", async () => {
  const rule = { key: "one", most: 3, everyS: 60 };
  const taken = async (seconds: number) => take(database, rule, at(seconds));
  expect([await taken(0), await taken(0), await taken(0)]).toEqual([0, 0, 0]);
  expect(await taken(0)).toBe(60);
  // Refusals take nothing.
  expect(await taken(45)).toBe(15);
  expect(await taken(60)).toBe(0);
  expect(await taken(60)).toBe(60);
  // A clock that is behind gives nothing back.
  expect(await taken(30)).toBeGreaterThan(0);
  expect(await taken(1_000)).toBe(0);
});

test("an hour of asking every second gets what the rule says, and others are not touched", async () => {
  const rule = { key: "flood", most: 3, everyS: 1_200 };
  let given = 0;
  for (let second = 0; second < 3_600; second += 10)
    if ((await take(database, rule, at(second))) === 0) given += 1;
  expect(given).toBe(5);
  expect(await take(database, { ...rule, key: "other" }, at(0))).toBe(0);
});

test("of twenty at the same time, as many get one as there are", async () => {
  const rule = { key: "together", most: 4, everyS: 3_600 };
  const answers = await Promise.all(Array.from({ length: 20 }, () => take(database, rule)));
  expect(answers.filter((seconds) => seconds === 0)).toHaveLength(4);
});

test("old ones are swept", async () => {
  await take(database, { key: "old", most: 1, everyS: 1 }, new Date(Date.now() - 49 * 3_600_000));
  await sweepAllowances(database);
  expect(await database.query("select 1 from mail_allowances where key = 'old'")).toEqual([]);
});
