import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { openEmbedded } from "../platform/store/embedded";
import { startBuilt, type BuiltService } from "../testing/built-service";

const MEGABYTE = 1024 * 1024;
const SECRET = "a-secret-for-the-client";
/** In megabytes. */
const SIZE = 220;
const LOG_SIZE = 200;
const place = await mkdtemp(path.join(tmpdir(), "disk-"));
const log = path.join(place, "log");
const mount = (size: number, at: string) =>
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}m`, "tmpfs", at]).status === 0;
/** Only root can mount a small disk. */
const mounted = mount(SIZE, place);
if (mounted) {
  await mkdir(log);
  mount(LOG_SIZE, log);
}
afterAll(async () => {
  if (mounted) for (const at of [path.join(place, "data/db/pg_wal"), log, place]) spawnSync("umount", [at]);
  await rm(place, { recursive: true, force: true });
});

/** Fills a disk until so many megabytes are free. */
async function leave(megabytes: number, disk: string): Promise<void> {
  await rm(path.join(disk, "filling"), { force: true });
  const { bavail, bsize } = await statfs(disk);
  await writeFile(path.join(disk, "filling"), Buffer.alloc(bavail * bsize - megabytes * MEGABYTE));
}

const variables = (name: string) => ({
  PORT: "0",
  DATA_DIR: path.join(place, name),
  AUTOMATION_CLIENT_SECRET: SECRET,
});

/** Puts the log of a database that is not open on a disk of its own. */
async function moveLog(name: string): Promise<void> {
  const inside = path.join(place, name, "db/pg_wal");
  await cp(inside, path.join(log, "pg_wal"), { recursive: true });
  await rm(inside, { recursive: true });
  // The engine follows no link out of its directory.
  await mkdir(inside);
  if (spawnSync("mount", ["--bind", path.join(log, "pg_wal"), inside]).status !== 0)
    throw new Error("cannot mount the log");
}

describe.runIf(mounted)("a disk that fills up under the embedded database", () => {
  let service: BuiltService;
  let token: string;
  const call = async (method: "GET" | "POST", url: string, body?: object) => {
    const answer = await fetch(`${service.url}${url}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    return [answer.status, ((await answer.json()) as { message?: string }).message];
  };
  const write = (name: string) => call("POST", "/iam/v2/groups", { name });

  beforeAll(async () => {
    const first = await startBuilt(variables("data"));
    expect(await first.end("SIGTERM")).toBe(0);
    await moveLog("data");
    service = await startBuilt(variables("data"));
    const answer = await fetch(`${service.url}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`automation:${SECRET}`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    token = ((await answer.json()) as { access_token: string }).access_token;
    expect((await write("before"))[0]).toBe(200);
  }, 120_000);

  test.each([
    ["the log", 40, [log]],
    ["the log at all", 0, [log]],
    ["the tables", 10, [place]],
    ["the tables at all", 0, [place]],
    ["both", 10, [log, place]],
    ["both at all", 0, [log, place]],
  ])(
    "without room for %s (%i MB), a write says so, reads go on, and it ends by itself",
    async (what, megabytes, disks) => {
      for (const disk of disks) await leave(megabytes, disk);
      for (let times = 0; times < 20; times += 1)
        expect(await write(what)).toEqual([503, "Unavailable: the database has no room left to write"]);
      for (const url of ["/iam/v2/groups", "/livez", "/readyz"])
        expect([url, ...(await call("GET", url))]).toEqual([url, 200, undefined]);
      for (const disk of disks) await rm(path.join(disk, "filling"));
      expect(await write(what)).toEqual([200, undefined]);
    },
    120_000,
  );

  test("a full disk keeps nobody from stopping it, and a start says what is missing", async () => {
    await leave(20, log);
    expect((await write("after"))[0]).toBe(503);
    expect(await service.end("SIGTERM")).toBe(0);
    await expect(startBuilt(variables("data"))).rejects.toThrow(
      /DATA_DIR: the disk of .* has (?:19|20) MB left; its database needs 48 MB/,
    );
    await rm(path.join(log, "filling"));
    const again = await startBuilt(variables("data"));
    expect(await again.end("SIGTERM")).toBe(0);
  }, 120_000);

  test("a disk that fills up after the check stops the engine, not the process, and it goes on once there is room", async () => {
    const database = await openEmbedded(path.join(place, "data"), {
      patience: { statement: 3_000, close: 10_000 },
    });
    database.limitStatements?.();
    await database.query("create table filled (a int, text text)");
    await database.query("insert into filled values (1, '')");
    await leave(5, log);
    // Nothing checks for room before such a statement, as when another program fills the disk in between.
    const unchecked =
      "select pg_logical_emit_message(true, 'filling', repeat('x', 1000000)) from generate_series(1, 400)";
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    const failure: unknown = await database.query(unchecked).then(
      () => undefined,
      (error: unknown) => error,
    );
    clearInterval(timer);
    expect(failure).toMatchObject({ name: "UNAVAILABLE" });
    expect(turns).toBeGreaterThan(2);
    await expect(database.query("insert into filled values (2, '')")).rejects.toThrow("no room left");
    await rm(path.join(log, "filling"));
    await database.query("insert into filled values (3, '')");
    expect(await database.query("select a from filled")).toEqual([{ a: 1 }, { a: 3 }]);
    await database.close();
  }, 120_000);

  test("a first start without room creates nothing that a later one would trip over", async () => {
    await leave(30, place);
    await mkdir(path.join(place, "new"));
    await expect(startBuilt(variables("new"))).rejects.toThrow("a new database needs 96 MB");
    await rm(path.join(place, "filling"));
    spawnSync("umount", [path.join(place, "data/db/pg_wal")]);
    await rm(path.join(place, "data"), { recursive: true });
    const later = await startBuilt(variables("new"));
    expect(await later.end("SIGTERM")).toBe(0);
  }, 120_000);
});

describe.runIf(mounted)("a disk that runs out of inodes under the embedded database", () => {
  const few = `${place}-inodes`;
  /** Creates empty files until so many inodes are left. */
  const leaveInodes = async (left: number) => {
    await mkdir(path.join(few, "filling"), { recursive: true });
    const { ffree } = await statfs(few);
    for (let file = 0; file < ffree - left; file += 1)
      await writeFile(path.join(few, "filling", String(file)), "");
  };
  const free = () => rm(path.join(few, "filling"), { recursive: true, force: true });
  beforeAll(async () => {
    await mkdir(few);
    const options = ["-t", "tmpfs", "-o", "size=300m,nr_inodes=4500", "tmpfs", few];
    expect(spawnSync("mount", options).status).toBe(0);
  });
  afterAll(async () => {
    spawnSync("umount", [few]);
    await rm(few, { recursive: true, force: true });
  });

  test("writes say so, reads go on, no answer is a 500, and it ends by itself", async () => {
    const service = await startBuilt({ PORT: "0", DATA_DIR: few, AUTOMATION_CLIENT_SECRET: SECRET });
    const granted = await fetch(`${service.url}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`automation:${SECRET}`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    const { access_token: token } = (await granted.json()) as { access_token: string };
    const call = async (method: "GET" | "POST", url: string) => {
      const answer = await fetch(`${service.url}${url}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(method === "POST" && { body: JSON.stringify({ name: "inodes" }) }),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const write = () => call("POST", "/iam/v2/groups");
    expect(await write()).toBe(200);
    for (const left of [200, 0]) {
      await leaveInodes(left);
      for (let times = 0; times < 20; times += 1) expect(await write()).toBe(503);
      for (const url of ["/iam/v2/groups", "/livez", "/readyz"])
        expect([url, await call("GET", url)]).toEqual([url, 200]);
      await free();
      for (let times = 0; times < 10; times += 1) expect(await write()).toBe(200);
    }
    expect(await service.end("SIGTERM")).toBe(0);
  }, 120_000);

  test("what needs files in spite of the check fails alone", async () => {
    const database = await openEmbedded(few);
    await leaveInodes(0);
    // A sort that does not fit into memory.
    await database.query("set work_mem = '64kB'");
    const sort =
      "select count(*) from (select g from generate_series(1, 200000) g order by g desc offset 1) s";
    await expect(database.query(sort)).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await free();
    await database.query("create table after_it (a int)");
    expect(await database.query(sort)).toEqual([{ count: 199_999 }]);
    await database.close();
  }, 120_000);
});

test.skipIf(mounted)("needs the right to mount a small disk", () => expect(mounted).toBe(false));

const failing = await mkdtemp(path.join(tmpdir(), "failing-"));
const image = `${failing}.img`;
/** Only root has loop devices, and not everywhere. */
const looped =
  mounted &&
  spawnSync("truncate", ["-s", "400M", image]).status === 0 &&
  spawnSync("mkfs.ext4", ["-q", "-F", image]).status === 0 &&
  spawnSync("mount", ["-o", "loop", image, failing]).status === 0;
afterAll(async () => {
  if (looped) spawnSync("umount", [failing]);
  await rm(failing, { recursive: true, force: true });
  await rm(image, { force: true });
});

test.runIf(looped)(
  "a file system that stops taking writes after an error: 503 with a reason, also of /readyz, and reads go on",
  async () => {
    const service = await startBuilt({ PORT: "0", DATA_DIR: failing, AUTOMATION_CLIENT_SECRET: SECRET });
    onTestFinished(async () => void (await service.end("SIGTERM")));
    const basic = { authorization: `Basic ${btoa(`automation:${SECRET}`)}` };
    const signIn = () =>
      fetch(`${service.url}/oidc/token`, {
        method: "POST",
        headers: basic,
        body: new URLSearchParams({ grant_type: "client_credentials" }),
      });
    const { access_token: token } = (await (await signIn()).json()) as { access_token: string };
    const call = async (method: string, url: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(`${service.url}${url}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const { message } = (await answer.json()) as { message?: string };
      return [answer.status, answer.headers.get("retry-after"), message];
    };
    const write = () => call("POST", "/iam/v2/groups", { name: "a group" });
    expect((await write())[0]).toBe(200);
    // As after an error of the device.
    spawnSync("mount", ["-o", "remount,abort", failing]);
    for (let times = 0; times < 5; times += 1)
      expect(await write()).toEqual([503, "1", "Unavailable: the file system of the database is read-only"]);
    expect((await signIn()).status).toBe(503);
    expect((await call("GET", "/iam/v2/groups"))[0]).toBe(200);
    expect(await call("GET", "/readyz")).toEqual([503, "5", "The file system of the database is read-only"]);
  },
  60_000,
);
