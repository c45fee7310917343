import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startBuilt, type BuiltService } from "../testing/built-service";

const MEGABYTE = 1024 * 1024;
const SECRET = "a-secret-for-the-client";
const SIZE = 220;
const place = await mkdtemp(path.join(tmpdir(), "disk-"));
/** Only root can mount a small disk. */
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}m`, "tmpfs", place]).status === 0;
afterAll(async () => {
  if (mounted) spawnSync("umount", [place]);
  await rm(place, { recursive: true, force: true });
});

/** Fills the disk until so many megabytes are free. */
async function leave(megabytes: number): Promise<void> {
  await rm(path.join(place, "filling"), { force: true });
  const { bavail, bsize } = await statfs(place);
  await writeFile(path.join(place, "filling"), Buffer.alloc(bavail * bsize - megabytes * MEGABYTE));
}
const variables = (name: string) => ({
  PORT: "0",
  DATA_DIR: path.join(place, name),
  AUTOMATION_CLIENT_SECRET: SECRET,
});

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
    ["for rows, but not for the log", 40],
    ["for less than one segment of the log", 10],
    ["for nothing", 0],
  ])(
    "with room %s, a write says so, reads go on, and it ends by itself",
    async (what, megabytes) => {
      await leave(megabytes);
      for (let times = 0; times < 20; times += 1)
        // oxlint-disable-next-line no-await-in-loop -- as one client would
        expect(await write(what)).toEqual([503, "Unavailable: the database has no room left to write"]);
      for (const url of ["/iam/v2/groups", "/livez", "/readyz"])
        // oxlint-disable-next-line no-await-in-loop
        expect([url, ...(await call("GET", url))]).toEqual([url, 200, undefined]);
      await leave(80);
      expect(await write(what)).toEqual([200, undefined]);
    },
    120_000,
  );

  test("a full disk keeps nobody from stopping it, and a start says what is missing", async () => {
    await leave(20);
    expect((await write("after"))[0]).toBe(503);
    expect(await service.end("SIGTERM")).toBe(0);
    await expect(startBuilt(variables("data"))).rejects.toThrow(
      /DATA_DIR: the disk of .* has (?:19|20) MB left; its database needs 48 MB/,
    );
    await leave(80);
    const again = await startBuilt(variables("data"));
    expect(await again.end("SIGTERM")).toBe(0);
  }, 120_000);

  test("a first start without room creates nothing that a later one would trip over", async () => {
    await leave(30);
    await mkdir(path.join(place, "new"));
    await expect(startBuilt(variables("new"))).rejects.toThrow("a new database needs 96 MB");
    await rm(path.join(place, "filling"));
    await rm(path.join(place, "data"), { recursive: true });
    const later = await startBuilt(variables("new"));
    expect(await later.end("SIGTERM")).toBe(0);
  }, 120_000);
});

test.skipIf(mounted)("needs the right to mount a small disk", () => expect(mounted).toBe(false));
