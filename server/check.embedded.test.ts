import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { check, type Finding } from "./check";
import { ENGINE_VERSION, openEmbedded } from "./platform/store/embedded";
import { fillDataDir } from "./testing/database";

let home: string;
const at = (...parts: string[]) => path.join(home, ...parts);

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "check-directory-"));
  await writeFile(at("file"), "");
  await mkdir(at("foreign", "db"), { recursive: true });
  await writeFile(at("foreign", "db", "notes.txt"), "");
  await mkdir(at("older", "db"), { recursive: true });
  await writeFile(at("older", "db", "PG_VERSION"), "16\n");
  await mkdir(at("broken", "db"), { recursive: true });
  await writeFile(at("broken", "db", "PG_VERSION"), ENGINE_VERSION);
  await mkdir(at("newer"));
  await fillDataDir(at("newer"));
  const database = await openEmbedded(at("newer"));
  await database.query("insert into schema_migrations (id, applied_at) values ('999-later', now())");
  await database.close();
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function findings(directory: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const one of check({ SEED: "none", DATA_DIR: directory })) found.push(one);
  return found;
}

/** A data directory, and the whole sentence about it; <home> is the directory of the test. */
const WRONG: readonly (readonly [string, string])[] = [
  ["file", "DATA_DIR: <home>/file cannot hold a database: <home>/file is a file"],
  ["file/below", "DATA_DIR: <home>/file/below cannot hold a database: <home>/file is a file"],
  ["foreign", "<home>/foreign/db contains files but no database: move them or set another DATA_DIR"],
  [
    "older",
    "<home>/older/db was written by PostgreSQL 16, but this program embeds 18: export it with the program that wrote it (its command export), then import that file into an empty DATA_DIR",
  ],
  ["broken", "the database in <home>/broken/db does not open: restore a copy or an export"],
  ["newer", "the database was written by a newer version of this program (999-later)"],
];

test.each(WRONG)("%s: one sentence, which names the directory", async (directory, sentence) => {
  const failed = (await findings(at(directory))).filter(({ result }) => result === "failed");
  expect(failed.map((one) => one.sentence)).toEqual([sentence.replaceAll("<home>", home)]);
});

test("nothing is created where there is no database yet", async () => {
  const found = await findings(at("new", "data"));
  expect(found.map(({ sentence }) => sentence)).toContain(
    `none yet; the start creates one in ${at("new", "data")}`,
  );
  expect(await readdir(home)).not.toContain("new");
});

test("a service that runs does not keep its next configuration from being checked", async () => {
  await fillDataDir(at("good"));
  const database = await openEmbedded(at("good"));
  const found = await findings(at("good"));
  await database.close();
  expect(found.map(({ result }) => result)).toEqual(["ok", "ok", "ok"]);
  expect(found[2]?.sentence).toContain(`in use by process ${process.pid}`);
});
