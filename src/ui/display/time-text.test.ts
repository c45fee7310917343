import { describe, expect, it } from "vitest";

import { writePreference } from "../preferences";
import { ageText, exactTime, LOCAL_TIMES, readTime, relativeTime } from "./time-text";

const now = Date.parse("2026-11-20T12:00:00Z");
const before = (seconds: number) => relativeTime(new Date(now - seconds * 1000), now);

describe("relativeTime", () => {
  it.each([
    [0, "just now"],
    [59, "just now"],
    [-59, "just now"],
    [60, "1 minute ago"],
    [3599, "59 minutes ago"],
    [3600, "1 hour ago"],
    [3 * 3600 + 3599, "3 hours ago"],
    [86_400, "1 day ago"],
    [29 * 86_400, "29 days ago"],
    [30 * 86_400, "1 month ago"],
    [364 * 86_400, "12 months ago"],
    [800 * 86_400, "2 years ago"],
    [-2 * 86_400, "in 2 days"],
    [5 - 7 * 86_400, "in 7 days"],
    [3600 - 7 * 86_400, "in 7 days"],
    [16 * 3600 - 7 * 86_400, "in 6 days"],
    [1 - 86_400, "in 1 day"],
    [20 - 3600, "in 1 hour"],
    [600 - 3600, "in 50 minutes"],
  ])("%i seconds back is %s", (seconds, text) => {
    expect(before(seconds)).toBe(text);
  });
});

describe("readTime", () => {
  it("has no value for what is absent, unreadable, or a protobuf zero", () => {
    for (const text of [undefined, null, "", "soon", "0001-01-01T00:00:00Z"])
      expect(readTime(text)).toBeUndefined();
  });

  it("reads RFC 3339", () => {
    expect(readTime("2026-01-28T12:54:21.189Z")?.getTime()).toBe(1769604861189);
  });
});

it("shows the exact time in UTC in every time zone", () => {
  expect(exactTime(new Date("2026-01-28T23:54:21.189-05:00"))).toBe("2026-01-29 04:54:21 UTC");
  expect(exactTime(new Date("2026-03-01T00:00:00Z"))).toBe("2026-03-01 00:00:00 UTC");
});

it("shows the browser's time zone with its offset if preferred", () => {
  writePreference(LOCAL_TIMES, "yes");
  const date = new Date("2026-01-28T12:54:21.189Z");
  const two = (value: number) => String(value).padStart(2, "0");
  const local = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:54:21`;
  expect(exactTime(date)).toMatch(new RegExp(`^${local} GMT([+-]\\d+(:\\d+)?)?$`));
  writePreference(LOCAL_TIMES, null);
});

it("says how old the rows are", () => {
  expect([0, 5_900, 61_000, 7_300_000].map((age) => ageText(now - age, now))).toEqual([
    "updated just now",
    "updated 5 s ago",
    "updated 1 min ago",
    "updated 2 h ago",
  ]);
  // Clocks can differ: never negative.
  expect(ageText(now + 5000, now)).toBe("updated just now");
});
