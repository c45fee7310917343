import { spawn } from "node:child_process";
import { once } from "node:events";
import { link, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { lockDirectory } from "./directory-lock";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "lock-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("a second holder is refused and told who holds the directory since when", async () => {
  const release = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(
    new RegExp(`in use by process ${process.pid} \\(running since \\d{4}-\\d\\d-\\d\\dT`),
  );
  await release();
  const again = await lockDirectory(directory);
  await again();
  expect(await readdir(directory)).toEqual([]);
});

/** Leaves the socket of a killed process: closing removes only the name under which it was bound. */
async function leaveSocket(name: string): Promise<void> {
  const bound = path.join(directory, `bound.${name}`);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(bound, resolve));
  await link(bound, path.join(directory, name));
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Contends `count` times in parallel: one wins, the others fail with this process as the holder, and nothing is left
 * over. Each starts `apart` turns of the event loop after the previous one, so that attempts overlap at different
 * stages.
 */
async function contend(count: number, apart = 0): Promise<void> {
  const attempts = await Promise.allSettled(
    Array.from({ length: count }, async (_, index) => {
      for (let turn = 0; turn < index * apart; turn++) await new Promise(setImmediate);
      return lockDirectory(directory);
    }),
  );
  const won = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  expect(won).toHaveLength(1);
  for (const attempt of attempts)
    if (attempt.status === "rejected")
      expect(String(attempt.reason)).toContain(`is in use by process ${process.pid} (running since 2`);
  await expect(lockDirectory(directory)).rejects.toThrow("in use by process");
  expect(await readdir(directory)).toHaveLength(1);
  await won[0]?.();
  expect(await readdir(directory)).toEqual([]);
}

test("of many at once exactly one gets the directory", async () => {
  for (let round = 0; round < 25; round++) await contend(12, round % 4);
});

test("sockets that processes left are taken over, of many at once by exactly one", async () => {
  for (let round = 0; round < 50; round++) {
    await leaveSocket("service.sock.0000000000000000");
    await leaveSocket("service.sock.ffffffffffffffff");
    await contend(12, round % 4);
  }
});

test("a socket that a killed process left is taken over", async () => {
  const socket = path.join(directory, "service.sock.8888");
  const script = `require("net").createServer().listen(${JSON.stringify(socket)}, () => console.log("up"))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readdir(directory)).toEqual(["service.sock.8888"]);
  await contend(4);
});

test("a path too long for a socket works as well", async () => {
  const deep = path.join(directory, "d".repeat(120));
  await mkdir(deep);
  const release = await lockDirectory(deep);
  await expect(lockDirectory(deep)).rejects.toThrow("in use by process");
  await release();
});
