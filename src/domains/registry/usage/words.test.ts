import { expect, test } from "vitest";

import { daysOfPulls, lastPull, pullsText } from "./words";

const SINCE = "2026-11-20T08:00:00.000Z";
const NOW = Date.parse("2026-11-22T10:00:00Z");
const AFTER = "2026-11-21T00:00:00.000Z";
const BEFORE = "2026-11-01T00:00:00.000Z";

test("what is not known is unknown, and never 'never'", () => {
  expect(lastPull({ row: undefined, countedSince: undefined }, AFTER).state).toBe("unknown");
  expect(lastPull({ row: undefined, countedSince: SINCE }, BEFORE)).toMatchObject({
    state: "unknown",
    why: expect.stringContaining("no pull since counting began"),
  });
  expect(lastPull({ row: undefined, countedSince: SINCE }, undefined).state).toBe("unknown");
  expect(lastPull({ row: undefined, countedSince: SINCE }, AFTER)).toEqual({ state: "not yet" });
});

test("a download is more than a question", () => {
  const row = { lastDownloadTime: BEFORE, lastAskTime: AFTER };
  expect(lastPull({ row, countedSince: SINCE }, BEFORE)).toEqual({ state: "downloaded", time: BEFORE });
  expect(lastPull({ row: { lastAskTime: AFTER }, countedSince: SINCE }, BEFORE)).toEqual({
    state: "asked",
    time: AFTER,
  });
  expect(pullsText({ downloads: 1, asks: 2 }, BEFORE, Date.parse("2027-01-01T00:00:00Z"))).toBe(
    "1 download, requested 2 times without downloading",
  );
  expect(pullsText(undefined, SINCE, NOW)).toMatch(/^0 downloads, counted since /);
});

test("a chart has the days of which pulls are known, and no more", () => {
  const rows = [{ day: "2026-11-21", downloads: 3 }];
  expect(daysOfPulls(rows, SINCE, NOW)).toEqual([
    { day: "2026-11-20", downloads: 0, asks: 0 },
    { day: "2026-11-21", downloads: 3, asks: 0 },
    { day: "2026-11-22", downloads: 0, asks: 0 },
  ]);
  expect(daysOfPulls(rows, undefined, NOW)).toEqual([]);
  expect(daysOfPulls(rows, "2025-01-01T00:00:00Z", NOW)).toHaveLength(30);
});
