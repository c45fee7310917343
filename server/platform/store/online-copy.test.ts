import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createLog } from "../../log";
import type { Database, Queries } from "./database";
import { requestCopy, serveCopies } from "./online-copy";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "copy-"));
  await mkdir(path.join(dataDir, "db/base"), { recursive: true });
  for (const [name, text] of Object.entries({ PG_VERSION: "18", "base/1": "one" }))
    // oxlint-disable-next-line no-await-in-loop -- two
    await writeFile(path.join(dataDir, "db", name), text);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** A database that has a session, and notes what happens in it. */
function noting(asked: (sql: string) => void, atEnd: () => Promise<void>): Database {
  const query: Queries["query"] = (sql) => {
    asked(sql);
    return Promise.resolve([]);
  };
  return {
    kind: "embedded",
    query,
    async transaction(work) {
      asked("begin");
      const result = await work({ query });
      await atEnd();
      asked("end");
      return result;
    },
    close: async () => {},
  };
}

const copied = async (): Promise<string[]> => {
  const [name = ""] = await readdir(path.join(dataDir, "copies"));
  const files = await readdir(path.join(dataDir, "copies", name), { recursive: true });
  return files.toSorted();
};

test("all of it is copied while a transaction keeps everything else from writing", async () => {
  const asked: string[] = [];
  let found: readonly string[] = [];
  const database = noting(
    (sql) => asked.push(sql),
    async () => void (found = await copied()),
  );
  const stop = await serveCopies(dataDir, database, createLog("silent"));
  const copy = await requestCopy(dataDir);
  expect(asked).toEqual(["begin", "checkpoint", "end"]);
  expect(found).toEqual(["db", "db/PG_VERSION", "db/base", "db/base/1"]);
  expect(await readFile(path.join(copy!.dataDir, "db/base/1"), "utf8")).toBe("one");
  await stop();
  copy!.release();
  // With its end the copy goes, and nobody listens.
  expect(await readdir(dataDir)).toEqual(["db"]);
  expect(await requestCopy(dataDir)).toBeUndefined();
});

test("whoever asks is told why there is no copy, and what a killed process left is gone", async () => {
  await mkdir(path.join(dataDir, "copies/of-before"), { recursive: true });
  const stop = await serveCopies(
    dataDir,
    noting(
      () => {},
      () => Promise.reject(new Error("no room left")),
    ),
    createLog("silent"),
  );
  expect(await readdir(dataDir)).toEqual(["copies.sock", "db"]);
  await expect(requestCopy(dataDir)).rejects.toThrow("made no copy of its database: no room left");
  expect(await readdir(dataDir)).toEqual(["copies.sock", "db"]);
  await stop();
});
