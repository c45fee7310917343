import { afterEach, expect, test, vi } from "vitest";

import { openMigrated } from "../../testing/database";
import { holdForward, releaseForward } from "./audit-forwards";

afterEach(() => {
  vi.useRealTimers();
});

test("one process forwards to a target, until it gives no sign of life or lets go", async () => {
  const database = await openMigrated();
  const at = (seconds: number) =>
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 28, 12, 0, seconds), toFake: ["Date"] });
  const holds = (holder: string, target = "file") => holdForward(database, target, holder, 30);
  at(0);
  expect(await holds("one")).toBe(true);
  expect([await holds("two"), await holds("two", "stdout")]).toEqual([false, true]);
  at(20);
  expect(await holds("one")).toBe(true);
  at(40);
  expect(await holds("two")).toBe(false);
  at(51);
  expect(await holds("two")).toBe(true);
  expect(await holds("one")).toBe(false);
  // Only its holder lets go of it.
  await releaseForward(database, "file", "one");
  expect(await holds("one")).toBe(false);
  await releaseForward(database, "file", "two");
  expect(await holds("one")).toBe(true);
  await database.close();
});
