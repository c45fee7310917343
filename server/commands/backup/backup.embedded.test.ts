import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { withLog } from "../../platform/audit/log";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { holdsDatabase, openEmbedded } from "../../platform/store/embedded";
import { openToRead } from "../../platform/store/open";
import { requestCopy } from "../../platform/store/online-copy";
import { ROOM } from "../../platform/store/room";
import { fillDataDir } from "../../testing/database";
import { TestStore } from "../../testing/store";
import { importFrom, rewrite } from "../../testing/transfer";
import { removeOld, writeBackup } from "./backup";
import { backupsIn, manifestOf, measure, nameAt } from "./manifest";
import { verifyBackup } from "./verify-backup";

let directory: string;
let dataDir: string;
/** What the service has open. */
let running: Database;
const at = (...names: string[]): string => path.join(directory, ...names);

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "backup-"));
  dataDir = at("data");
  await mkdir(dataDir);
  await fillDataDir(dataDir);
  running = await openEmbedded(dataDir);
  const store = await TestStore.open({}, withLog(running));
  await store.organization("acme", "ada");
});
afterAll(async () => {
  await running.close();
  await rm(directory, { recursive: true, force: true });
});

const groupsOf = (database: Database) => database.query("select uid, name from groups order by uid");

/** A backup of the running database, under a new name. */
let made = 0;
async function backUp(): Promise<string> {
  const file = at(`backup-${(made += 1)}`);
  const database = await openToRead({ dataDir, databaseUrl: undefined }, "backing it up");
  try {
    await writeBackup(database, file, now());
  } finally {
    await database.close();
  }
  return file;
}

/** Changes a manifest. */
async function edit(file: string, change: (manifest: any) => object): Promise<void> {
  const manifest = JSON.parse(await readFile(manifestOf(file), "utf8"));
  await writeFile(manifestOf(file), JSON.stringify(change(manifest)));
}

test("a backup of a database that is in use has all of it, and is its owner's alone", async () => {
  const file = await backUp();
  const { manifest, entries } = await verifyBackup(file, directory);
  expect(manifest.tables["groups"]).toBe(1);
  expect(manifest.migration).toMatch(/^\d{3}-/);
  expect(entries).toBeGreaterThan(0);
  for (const one of [file, manifestOf(file)]) expect((await stat(one)).mode & 0o777).toBe(0o600);
  await mkdir(at("restored"));
  await fillDataDir(at("restored"), "empty");
  const restored = await openEmbedded(at("restored"));
  await importFrom(restored, file);
  expect(await groupsOf(restored)).toEqual(await groupsOf(running));
  await restored.close();
  // Neither the copy nor the scratch database stays.
  await expect
    .poll(async () => (await readdir(dataDir)).toSorted())
    .toEqual(["copies.sock", "db", expect.stringContaining("service.sock")]);
  expect((await readdir(directory)).filter((name) => name.startsWith("platform-verify-"))).toEqual([]);
});

test("what is written meanwhile is in it as a whole or not at all, and everything before it is", async () => {
  let written = 0;
  const stop = new AbortController();
  await running.query("create table halves (n int primary key, half int)");
  const writing = (async () => {
    while (!stop.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop
      await running.transaction(async (queries) => {
        await queries.query("insert into halves values ($1, 1)", [written * 2]);
        await queries.query("insert into halves values ($1, 2)", [written * 2 + 1]);
      });
      written += 1;
    }
  })();
  await expect.poll(() => written).toBeGreaterThan(20);
  const before = written;
  const copy = await requestCopy(dataDir);
  const after = written;
  stop.abort();
  await writing;
  const database = await openEmbedded(copy!.dataDir);
  const [found] = await database.query<{ n: number; last: number }>(
    "select count(*)::int as n, max(n)::int as last from halves",
  );
  await database.close();
  copy!.release();
  await running.query("drop table halves");
  expect(found!.n % 2).toBe(0);
  expect(found!.last).toBe(found!.n - 1);
  expect(found!.n / 2).toBeGreaterThanOrEqual(before);
  expect(found!.n / 2).toBeLessThanOrEqual(after + 1);
});

test("one copy at a time; it goes with whoever asked for it, and then the next one is made", async () => {
  const first = await requestCopy(dataDir);
  let isMade = false;
  const next = requestCopy(dataDir).then((copy) => {
    isMade = true;
    return copy;
  });
  expect(await holdsDatabase(first!.dataDir)).toBe(true);
  expect(isMade).toBe(false);
  first!.release();
  const second = await next;
  expect(await readdir(path.join(dataDir, "copies"))).toEqual([path.basename(second!.dataDir)]);
  second!.release();
  await expect.poll(() => readdir(dataDir)).not.toContain("copies");
});

test("a disk without room for a copy is refused one, and has nothing of it", async () => {
  const { bytes } = ROOM;
  ROOM.bytes = Number.MAX_SAFE_INTEGER / 2;
  await expect(requestCopy(dataDir)).rejects.toThrow(
    /the service made no copy of its database: .* a copy of/,
  );
  ROOM.bytes = bytes;
  expect(await readdir(dataDir)).not.toContain("copies");
});

test("a database that is not in use is opened itself", async () => {
  const own = at("stopped");
  await mkdir(own);
  await fillDataDir(own);
  expect(await requestCopy(own)).toBeUndefined();
  const database = await openToRead({ dataDir: own, databaseUrl: undefined }, "backing it up");
  await expect(openEmbedded(own)).rejects.toThrow("in use by process");
  await database.close();
});

test("a file that exists is not replaced, and a failed backup leaves nothing", async () => {
  await writeFile(at("mine"), "x");
  await expect(writeBackup(running, at("mine"), now())).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(at("mine"), "utf8")).toBe("x");
  await expect(
    writeBackup({ ...running, transaction: () => Promise.reject(new Error("lost")) }, at("none"), now()),
  ).rejects.toThrow("lost");
  expect((await readdir(directory)).filter((name) => name.startsWith("none"))).toEqual([]);
});

test("what is not as its manifest says is found", async () => {
  const file = await backUp();
  const { size } = await stat(file);
  const manifest = await readFile(manifestOf(file));

  await edit(file, ({ tables, ...rest }) => ({ ...rest, tables: { ...tables, groups: 7 } }));
  await expect(verifyBackup(file, directory)).rejects.toThrow("1 instead of 7 in groups");
  await edit(file, (rest) => ({ ...rest, migration: "001-iam" }));
  await expect(verifyBackup(file, directory)).rejects.toThrow("not 001-iam");
  await writeFile(manifestOf(file), "{}");
  await expect(verifyBackup(file, directory)).rejects.toThrow("is something else");
  await rm(manifestOf(file));
  await expect(verifyBackup(file, directory)).rejects.toThrow("does not exist");
  await writeFile(manifestOf(file), manifest);
  await truncate(file, size - 1);
  await expect(verifyBackup(file, directory)).rejects.toThrow("its checksum differs");
});

test("a log that was changed is found, although every checksum is right", async () => {
  const file = await backUp();
  await rewrite(file, (lines) => lines.map((line) => line.replace(/groups\.create/g, "groups.delete")));
  const sums = await measure(file);
  await edit(file, (rest) => ({ ...rest, ...sums }));
  await expect(verifyBackup(file, directory)).rejects.toThrow("an audit log with");
});

test("of a folder only the newest are kept, and no file that this did not name", async () => {
  const folder = at("folder");
  await mkdir(folder);
  const names = [1, 2, 3].map((day) => nameAt(new Date(Date.UTC(2026, 0, day))));
  for (const name of ["mine.gz", ...names])
    // oxlint-disable-next-line no-await-in-loop
    for (const one of [name, manifestOf(name)]) await writeFile(path.join(folder, one), "");
  expect(await backupsIn(folder)).toEqual(names);
  expect(await removeOld(folder, 2)).toBe(1);
  expect(await backupsIn(folder)).toEqual(names.slice(1));
  expect((await readdir(folder)).length).toBe(6);
  expect(await removeOld(folder, 2)).toBe(0);
});
