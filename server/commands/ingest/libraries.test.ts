import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Database } from "../../platform/store/database";
import { openMigrated } from "../../testing/database";
import { chunked } from "../../testing/ingesting";
import { ingest } from "./ingest";

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());
beforeEach(() => database.query("delete from artifacts"));

const REQUESTS = {
  ecosystem: "ECOSYSTEM_PYTHON",
  name: "Requests",
  versions: [
    { version: "2.9", createTime: "2026-01-02T00:00:00Z", description: "Old" },
    {
      version: "2.31.0",
      createTime: "2026-01-03T00:00:00Z",
      updateTime: "2026-01-04T00:00:00Z",
      description: "HTTP for people",
      sizeBytes: "62574",
      remediated: true,
    },
    { version: "dev-snapshot", createTime: "2026-01-03T00:00:00Z" },
  ],
};
const MORE = { ...REQUESTS, versions: [{ version: "2.30.0", createTime: "2026-02-01T00:00:00Z" }] };
const NETTY = {
  ecosystem: "ECOSYSTEM_JAVA",
  name: "io.netty:netty-all",
  versions: [{ version: "4.1.100.Final", createTime: "2026-01-02T00:00:00Z", sizeBytes: 4000 }],
};
const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const artifacts = () => database.query("select * from artifacts order by uid");
const versions = () => database.query("select * from artifact_versions order by uid");
const nowhere = { group: undefined, digest: undefined };
const takeLibraries = (text: string) => ingest(database, chunked(text, 50), nowhere);

test("need no group; the newest version speaks for the artifact, whichever comes last", async () => {
  expect(await takeLibraries(lines(REQUESTS, NETTY, MORE))).toMatchObject({
    versions: 4,
    skipped: ["line 1: Requests dev-snapshot has no valid ECOSYSTEM_PYTHON version"],
  });
  expect(await artifacts()).toMatchObject([
    { uid: "java:io.netty:netty-all", latest_version: "4.1.100.Final", version_count: 1 },
    {
      uid: "python:requests",
      name: "Requests",
      description: "HTTP for people",
      latest_version: "2.31.0",
      version_count: 3,
      created_at: new Date("2026-01-02"),
      updated_at: new Date("2026-02-01"),
    },
  ]);
});

test("are the same when told again, and say what is new where that changed", async () => {
  await takeLibraries(lines(REQUESTS, NETTY));
  const before = [await artifacts(), await versions()];
  await takeLibraries(lines(REQUESTS, NETTY));
  expect([await artifacts(), await versions()]).toEqual(before);
  const [, told] = REQUESTS.versions;
  await takeLibraries(lines({ ...REQUESTS, versions: [{ ...told, remediated: false }] }));
  expect((await versions()).filter((row) => row["remediated"])).toEqual([]);
});

test.each([
  [
    "no time",
    lines({ ...NETTY, versions: [{ version: "1" }] }),
    "line 2: is not valid libraries: versions.0.createTime",
  ],
  ["another ecosystem", lines({ ...NETTY, ecosystem: "npm" }), "line 2: is not valid libraries: ecosystem"],
])("a line with %s costs itself, not its file", async (_what, second, message) => {
  const { skipped } = await takeLibraries(`${lines(REQUESTS)}\n${second}\n`);
  expect(skipped.at(-1)).toMatch(message);
  expect(await artifacts()).toHaveLength(1);
});

test("nothing is written of a file that is cut off", async () => {
  await expect(takeLibraries(`${lines(REQUESTS)}\n{\n`)).rejects.toThrow(
    "is truncated or not JSON in line 2",
  );
  expect(await artifacts()).toEqual([]);
});

test("leave out what is no name", async () => {
  const { skipped } = await takeLibraries(lines({ ...NETTY, name: "netty" }));
  expect(skipped).toEqual(['line 1: "netty" is not a valid ECOSYSTEM_JAVA name']);
});
