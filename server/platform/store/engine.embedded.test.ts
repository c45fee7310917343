import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ConfigError } from "../../config";
import { fillDataDir } from "../../testing/database";
import { LONG } from "../../testing/long";
import { ENGINE_VERSION, holdsDatabase, openEmbedded } from "./embedded";
import { migrate } from "./migrate";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "embedded-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("what was written is there after reopening, and migrating twice does nothing", async () => {
  // The leftovers of a first start that was killed halfway do not count as a database, and are not in the way.
  await mkdir(path.join(directory, "db.new", "base"), { recursive: true });
  await writeFile(path.join(directory, "db.new", "PG_VERSION"), ENGINE_VERSION);
  expect(await holdsDatabase(directory)).toBe(false);
  // Every first start creates one, in the journeys as well; that takes seconds.
  if (!LONG) {
    await rm(path.join(directory, "db.new"), { recursive: true });
    await fillDataDir(directory, "empty");
  }
  const first = await openEmbedded(directory);
  expect(await readdir(directory)).toEqual(["copies.sock", "db", expect.stringContaining("service.sock")]);
  expect((await stat(path.join(directory, "db"))).mode & 0o777).toBe(0o700);
  await migrate(first);
  await first.query("insert into secrets (name, value) values ($1, $2)", ["k", "v"]);
  await expect(openEmbedded(directory)).rejects.toThrow("in use by process");
  await first.close();

  const second = await openEmbedded(directory);
  await migrate(second);
  expect(await second.query("select value from secrets")).toEqual([{ value: "v" }]);
  const [version] = await second.query<{ server_version: string }>("show server_version");
  expect(version?.server_version.split(".")[0]).toBe(ENGINE_VERSION);

  await second.query("insert into schema_migrations (id, applied_at) values ('999-later', now())");
  await expect(migrate(second)).rejects.toThrow("newer version of this program (999-later)");
  await second.close();

  await writeFile(path.join(directory, "db", "PG_VERSION"), "16\n");
  await expect(openEmbedded(directory)).rejects.toThrow("written by PostgreSQL 16");

  await rm(path.join(directory, "db", "PG_VERSION"));
  await expect(openEmbedded(directory)).rejects.toThrow("contains files but no database");
});

test("work that is all queries leaves turns to other connections", async () => {
  await fillDataDir(directory, "empty");
  const database = await openEmbedded(directory);
  let turns = 0;
  let over = false;
  const other = () => {
    turns += 1;
    if (!over) setImmediate(other);
  };
  setImmediate(other);
  for (let times = 0; times < 20; times += 1) await database.query("select 1");
  await database.transaction(async (queries) => {
    for (let times = 0; times < 20; times += 1) await queries.query("select 1");
  });
  over = true;
  await database.close();
  expect(turns).toBeGreaterThanOrEqual(40);
});

test("a place that can hold no database is said in a sentence", async () => {
  const file = path.join(directory, "file");
  await writeFile(file, "");
  await expect(openEmbedded(file)).rejects.toThrow(
    new ConfigError(`DATA_DIR: ${file} cannot hold a database: it is a file`),
  );
  await expect(openEmbedded(path.join(file, "below"))).rejects.toThrow("a part of that path is a file");
});

test("values come back as the interface promises, a failed transaction leaves nothing", async () => {
  await fillDataDir(directory, "empty");
  const database = await openEmbedded(directory);
  const at = new Date("2026-01-28T12:54:21.189Z");
  const sql =
    "select $1::int8 as n, $2::int8 as big, $3::timestamptz(3) as at, $4::jsonb as j, $5::text[] as list";
  const [row] = await database.query(sql, [1, "9223372036854775807", at, '{"a":[1]}', ["x", 'y,"z']]);
  expect(row).toEqual({ n: 1, big: 9223372036854775807n, at, j: { a: [1] }, list: ["x", 'y,"z'] });

  await database.query("create table t (a int)");
  const failing = database.transaction(async (queries) => {
    await queries.query("insert into t values (1)");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await database.query("select * from t")).toEqual([]);
  await database.close();
});

test("an error says what PostgreSQL says of it, and keeps no other transaction from its turn", async () => {
  await fillDataDir(directory, "empty");
  const database = await openEmbedded(directory);
  await database.query("create table t (a int constraint one_of_each unique)");
  const insert = (...numbers: number[]) =>
    database.transaction(async (queries) => {
      for (const number of numbers) await queries.query("insert into t values ($1)", [number]);
    });
  const [failed, done] = await Promise.allSettled([insert(1, 1), insert(2, 3)]);
  expect(failed).toMatchObject({
    status: "rejected",
    reason: {
      message: 'duplicate key value violates unique constraint "one_of_each"',
      code: "23505",
      constraint: "one_of_each",
      table: "t",
      detail: "Key (a)=(1) already exists.",
    },
  });
  expect(done.status).toBe("fulfilled");
  expect(await database.query("select a from t order by a")).toEqual([{ a: 2 }, { a: 3 }]);
  await database.close();
});

test("a statement that hangs keeps nobody from closing", async () => {
  await fillDataDir(directory, "empty");
  const database = await openEmbedded(directory, { patience: HURRIED });
  const [hung] = await Promise.allSettled([database.query(SPIN), database.close()]);
  expect(hung.status).toBe("rejected");
});

/** Patience with a statement that hangs, in milliseconds: each of them keeps a core busy. */
const HURRIED = { statement: 2_000, close: 1_000 };

/** Keeps the engine busy for hours. */
const SPIN = "select count(*) from generate_series(1, 100000000000)";

test("an engine that hangs is reported and started again; nothing of its transaction is left", async () => {
  await fillDataDir(directory, "empty");
  const database = await openEmbedded(directory, { patience: HURRIED });
  await database.query("create table t (a int)");
  database.limitStatements?.();
  await database.query("insert into t values (1)");
  const hung = database.transaction(async (queries) => {
    await queries.query("insert into t values (2)");
    await queries.query(SPIN).catch(() => {});
    // Must not reach the new engine: this would be half of the transaction.
    await queries.query("insert into t values (3)");
  });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 100);
  const next = database.query("select a from t");
  await expect(hung).rejects.toMatchObject({ name: "UNAVAILABLE" });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  expect(await next).toEqual([{ a: 1 }]);

  await expect(database.query(SPIN)).rejects.toThrow(
    "the database did not answer within 2 s and is started again",
  );
  expect(await database.query("select a from t")).toEqual([{ a: 1 }]);
  await database.close();
});

test("closing waits for what was asked before", async () => {
  await fillDataDir(directory, "empty");
  const database = await openEmbedded(directory);
  await database.query("create table t (a int)");
  const asked = Array.from({ length: 50 }, (_, a) => database.query("insert into t values ($1)", [a]));
  await Promise.all([...asked, database.close()]);
  const again = await openEmbedded(directory);
  expect(await again.query("select count(*) as n from t")).toEqual([{ n: 50 }]);
  await again.close();
});
