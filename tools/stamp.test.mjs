import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isStale, writeStamp } from "./stamp.mjs";

const LONG_AGO = new Date("2020-01-01");
const BUILT = new Date("2021-01-01");
const LATER = new Date("2022-01-01");

let root;
let target;
const touch = (name, time) => utimesSync(join(root, name), time, time);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "stamp-"));
  mkdirSync(join(root, "src/screens"), { recursive: true });
  for (const name of ["src/screens/a.ts", "lock.json", "stamp-place"]) writeFileSync(join(root, name), name);
  for (const name of ["src/screens/a.ts", "src/screens", "src"]) touch(name, LONG_AGO);
  target = { stamp: join(root, "stamp"), sources: [join(root, "src")], lock: join(root, "lock.json") };
});
afterEach(() => rmSync(root, { recursive: true }));

test("nothing built yet is stale, what was just built is not", () => {
  expect(isStale(target)).toBe(true);
  writeStamp(target, BUILT.getTime());
  expect(isStale(target)).toBe(false);
});

test("a changed, added or removed source is a reason to build", () => {
  writeStamp(target, BUILT.getTime());
  touch("src/screens/a.ts", LATER);
  expect(isStale(target)).toBe(true);
  touch("src/screens/a.ts", LONG_AGO);
  expect(isStale(target)).toBe(false);
  rmSync(join(root, "src/screens/a.ts"));
  expect(isStale(target)).toBe(true);
});

test("another lock file is a reason, whatever its time", () => {
  writeStamp(target, BUILT.getTime());
  writeFileSync(join(root, "lock.json"), "other");
  touch("lock.json", LONG_AGO);
  expect(isStale(target)).toBe(true);
});

test("what the build itself writes is none", () => {
  writeStamp(target, BUILT.getTime());
  writeFileSync(join(root, "src/routeTree.gen.ts"), "");
  expect(isStale(target)).toBe(false);
});
