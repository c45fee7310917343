import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
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
    new RegExp(`in use by process ${process.pid}, running since \\d{4}-\\d\\d-\\d\\dT`),
  );
  await release();
  const again = await lockDirectory(directory);
  await again();
  expect(await readdir(directory)).toEqual([]);
});

test("of many at once exactly one gets the directory", async () => {
  const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => lockDirectory(directory)));
  const won = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  expect(won).toHaveLength(1);
  await won[0]?.();
});

test("a socket that a killed process left is taken over, also by many at once", async () => {
  const socket = path.join(directory, "service.sock");
  const script = `require("net").createServer().listen(${JSON.stringify(socket)}, () => console.log("up"))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readdir(directory)).toEqual(["service.sock"]);

  const attempts = await Promise.allSettled(Array.from({ length: 4 }, () => lockDirectory(directory)));
  const won = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  expect(won).toHaveLength(1);
  await expect(lockDirectory(directory)).rejects.toThrow("in use by process");
  await won[0]?.();
});

test("a path too long for a socket works as well", async () => {
  const { mkdir } = await import("node:fs/promises");
  const deep = path.join(directory, "d".repeat(120));
  await mkdir(deep);
  const release = await lockDirectory(deep);
  await expect(lockDirectory(deep)).rejects.toThrow("in use by process");
  await release();
});
