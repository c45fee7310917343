import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import type { Database } from "../../platform/store/database";
import { GROUP, openForIngest } from "../../testing/ingesting";
import { filesOf, ingestFiles, Stopped } from "./files";

const TABLES = ["advisories", "advisory_events", "vulnerability_metadata"];

let database: Database;
let directory: string;
beforeAll(async () => {
  database = await openForIngest();
});
afterAll(() => database.close());
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "ingest-"));
  for (const table of TABLES) await database.query(`delete from ${table}`);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Each pair of records concerns the same vulnerability of the same package. */
const osv = (index: number, more: object = {}) => ({
  id: `${index % 3 === 0 ? "PYSEC" : "GHSA"}-${index}`,
  modified: "2026-02-03T00:00:00Z",
  aliases: [`CVE-2026-${100_000 + Math.floor(index / 2)}`],
  summary: `Flaw ${index}`,
  severity: [
    { type: "CVSS_V3", score: `CVSS:3.1/AV:N/AC:${index % 2 === 0 ? "L" : "H"}/PR:N/UI:N/S:U/C:H/I:H/A:H` },
  ],
  affected: [
    {
      package: { ecosystem: "PyPI", name: `p${Math.floor(index / 2)}` },
      ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: `1.${index}` }] }],
    },
  ],
  ...more,
});
const at = (name: string) => path.join(directory, name);
const put = (name: string, value: unknown) =>
  writeFile(at(name), typeof value === "string" ? value : JSON.stringify(value));
const putMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => put(`${1_000 + index}.json`, osv(index))));

async function run(files: readonly string[], stopAt = "") {
  const stop = new AbortController();
  const written: string[] = [];
  const refused: Record<string, string> = {};
  const ended = await ingestFiles(
    database,
    files,
    { group: GROUP, digest: undefined },
    {
      written(file) {
        written.push(path.basename(file));
        if (path.basename(file) === stopAt) stop.abort();
      },
      refused: (file, error) => (refused[path.basename(file)] = (error as Error).message),
      reading: (file, { records }) => records === 3 && path.basename(file) === stopAt && stop.abort(),
    },
    stop.signal,
  ).catch((error: unknown) => error);
  return { written, refused, stopped: ended instanceof Stopped };
}

const rows = async (hidden: (table: string) => readonly string[] = () => []) =>
  Promise.all(
    TABLES.map((table) =>
      database.query(`select to_jsonb(t) - $1::text[] as row from ${table} t order by 1`, [hidden(table)]),
    ),
  );
/** Files ingested one by one have their own updated_at, and what is known of a vulnerability when it was first read. */
const timeless = () =>
  rows((table) => ["updated_at", ...(table === "vulnerability_metadata" ? ["created_at"] : [])]);

test("files that are written together give the rows that they give alone, in either order, once and twice", async () => {
  await putMany(12);
  const files = await filesOf([directory]);
  await run(files);
  const [first, facts] = [await rows(), await timeless()];
  expect(first.map(({ length }) => length)).toEqual([6, 24, 18]);
  await run(files);
  expect(await rows()).toEqual(first);
  for (const file of files.toReversed()) await run([file]);
  expect(await rows()).toEqual(first);
  for (const table of TABLES) await database.query(`delete from ${table}`);
  for (const file of files) await run([file]);
  expect(await timeless()).toEqual(facts);
});

test("a file that is cut off, or that the database refuses, is left out; the others are written", async () => {
  await putMany(6);
  await put("1001.json", JSON.stringify(osv(1)).slice(0, -9));
  await put("1003.json", osv(3, { summary: "\0" }));
  await put("1004.json", { ...osv(4), affected: "all" });
  const files = [...(await filesOf([directory])), at("none.json"), directory];
  const { written, refused, stopped } = await run(files);
  expect(stopped).toBe(false);
  expect(written).toEqual(["1000.json", "1002.json", "1005.json"]);
  expect(refused).toMatchObject({
    "1001.json": "is truncated or not JSON",
    "1003.json": expect.stringMatching(/\S/) as string,
    "1004.json": expect.stringContaining("is not valid OSV: affected:") as string,
    "none.json": expect.stringContaining("ENOENT") as string,
    [path.basename(directory)]: expect.stringContaining("EISDIR") as string,
  });
  const told = await database.query("select distinct told_by from vulnerability_metadata order by 1");
  expect(told.map((row) => row["told_by"])).toEqual(["GHSA-2", "GHSA-5", "PYSEC-0"]);
});

test("told to stop, it ends after whole files: what it said is there, the file that it was in is not", async () => {
  await putMany(510);
  const pad = "x".repeat(700_000);
  await put(
    "0900.json",
    Array.from({ length: 8 }, (_, index) => osv(2_000 + index, { details: pad })),
  );
  const files = await filesOf([directory]);
  expect(await run(files, "0900.json")).toEqual({ written: [], refused: {}, stopped: true });
  expect((await rows()).flat()).toEqual([]);
  const { written, stopped } = await run(files.slice(1), "1000.json");
  expect([written.length, stopped]).toEqual([500, true]);
  const held = await database.query("select count(*)::int as n from advisory_events where type = 'fixed'");
  expect(held).toEqual([{ n: 500 }]);
  expect((await run(files)).stopped).toBe(false);
  const all = await database.query("select count(*)::int as n from advisory_events where type = 'fixed'");
  expect(all).toEqual([{ n: 518 }]);
});
