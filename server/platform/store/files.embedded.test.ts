import { cp, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { readConfig } from "../../config";
import { createProbes } from "../http/probes";
import { createLog } from "../../log";
import { listenFirst, send } from "../../testing/app";
import { closeServer } from "../../testing/site";
import { fillDataDir } from "../../testing/database";
import type { Database } from "./database";
import { openEmbedded } from "./embedded";
import { ROOM } from "./room";

let directory: string;
let database: Database;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "files-"));
  await fillDataDir(directory);
  database = await openEmbedded(directory);
});
afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const add = (name: string) => database.query("insert into secrets (name, value) values ($1, '')", [name]);
const names = async () =>
  (await database.query<{ name: string }>("select name from secrets order by name")).map(({ name }) => name);

/** Status and message of /readyz. */
async function startProbes() {
  const { origin, serve, server } = await listenFirst();
  const probes = createProbes(readConfig({ PUBLIC_URL: origin }), createLog("silent"));
  serve(probes.before((_request, response) => void response.end()));
  probes.serve(database);
  const ready = async () => {
    const { status, json } = await send(`${origin}/readyz`);
    return [status, json.message];
  };
  return { ready, stop: () => (probes.leave(), closeServer(server)) };
}

/** On a busy machine the engine may be slower than a probe waits. */
const SLOW = { timeout: 60_000 };

test("without inodes, writes are refused and reads go on, until there are some", async () => {
  const before = ROOM.inodes;
  ROOM.inodes = Number.MAX_SAFE_INTEGER;
  try {
    await expect(add("a")).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "Unavailable: the database has no room left to write",
    });
    expect(await names()).not.toContain("a");
  } finally {
    ROOM.inodes = before;
  }
  await add("a");
  expect(await names()).toContain("a");
});

test("an engine that does not find its files is started again", async () => {
  await add("a");
  // What it says after it ran out of inodes, of files that it takes to be there.
  await expect(database.query("select pg_read_file('missing')")).rejects.toMatchObject({
    name: "UNAVAILABLE",
  });
  await add("b");
  expect(await names()).toEqual(expect.arrayContaining(["a", "b"]));
});

test("files that are removed are told by /readyz, nothing is written elsewhere, and a copy brings them back", async () => {
  const { ready, stop } = await startProbes();
  await add("kept");
  await database.query("checkpoint");
  const [files, copy] = [path.join(directory, "db"), path.join(directory, "copy")];
  await cp(files, copy, { recursive: true });
  await expect.poll(ready, SLOW).toEqual([200, undefined]);
  await rm(files, { recursive: true });
  const gone = "The files of the database are gone";
  expect(await ready()).toEqual([503, gone]);
  for (let times = 0; times < 3; times += 1)
    await expect(add("lost")).rejects.toMatchObject({ name: "UNAVAILABLE" });
  expect(await ready()).toEqual([503, gone]);
  expect(await readdir(directory)).not.toContain("db");
  await rename(copy, files);
  await expect.poll(ready, SLOW).toEqual([200, undefined]);
  await add("later");
  const found = await names();
  expect(found).toEqual(expect.arrayContaining(["kept", "later"]));
  expect(found).not.toContain("lost");
  await stop();
});

test("a part of the files that is missing is told by /readyz, and a write that needs it is refused", async () => {
  const { ready, stop } = await startProbes();
  const files = path.join(directory, "db");
  for (const part of ["pg_wal", "base", "global"]) {
    await rename(path.join(files, part), path.join(directory, part));
    expect([part, ...(await ready())]).toEqual([part, 503, "The files of the database are gone"]);
    if (part !== "global") await expect(add("lost")).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await rename(path.join(directory, part), path.join(files, part));
    await expect.poll(async () => [part, ...(await ready())], SLOW).toEqual([part, 200, undefined]);
  }
  await add("later");
  await stop();
});

test("files that are replaced are opened again before anything is written to them", async () => {
  await add("kept");
  await database.query("checkpoint");
  const [files, copy] = [path.join(directory, "db"), path.join(directory, "copy")];
  await cp(files, copy, { recursive: true });
  await rename(files, path.join(directory, "before"));
  await rename(copy, files);
  await expect(add("lost")).rejects.toThrow("the files of the database were replaced");
  await add("later");
  expect(await names()).toEqual(expect.arrayContaining(["kept", "later"]));
});
