import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../../platform/store/database";
import { openMigrated } from "../../testing/database";
import { seedLibraries } from "./demo-libraries";
import { LIBRARIES } from "./demo-libraries-data";

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  await database.transaction(seedLibraries);
});
afterAll(() => database.close());

test("every library has its versions, each of which can be ordered, and none from the future", async () => {
  const artifacts = await database.query("select * from artifacts");
  expect(artifacts).toHaveLength(LIBRARIES.length);
  const [odd] = await database.query(
    "select count(*) as n from artifact_versions where sort_key = '' or created_at > now() or updated_at > now()",
  );
  expect(String(odd?.["n"])).toBe("0");
});

test("what was published last is the newest version", async () => {
  const wrong = await database.query(
    `select a.uid from artifacts a join lateral (select version from artifact_versions v
       where v.artifact_uid = a.uid order by created_at desc, sort_key desc limit 1) v on true
     where v.version <> a.latest_version`,
  );
  expect(wrong).toEqual([]);
});

test("each filter of the console has something to find, and something to leave out", async () => {
  const [found] = await database.query(
    `select count(*) filter (where remediated) as remediated, count(*) filter (where cuda_versions <> '{}') as cuda,
       count(*) as all from artifact_versions`,
  );
  const [remediated, cuda, all] = [found?.["remediated"], found?.["cuda"], found?.["all"]].map(Number);
  expect(Math.min(remediated!, cuda!)).toBeGreaterThan(20);
  expect(Math.max(remediated!, cuda!)).toBeLessThan(all! / 2);
});
