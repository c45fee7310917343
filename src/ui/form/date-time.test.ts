import { afterEach, expect, test } from "vitest";

import { LOCAL_TIMES } from "../display/time-text";
import { writePreference } from "../preferences";
import { inDays, typedTime, wireTime, zoneName } from "./date-time";

afterEach(() => writePreference(LOCAL_TIMES, null));

test("a time is typed in UTC, or in one's own zone if one prefers that, and is the same moment", () => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "Asia/Kolkata";
  try {
    for (const [local, typed, name] of [
      [null, "2026-06-01T08:30", "UTC"],
      ["yes", "2026-06-01T14:00", "GMT+5:30"],
    ] as const) {
      writePreference(LOCAL_TIMES, local);
      expect(typedTime("2026-06-01T08:30:00.000Z")).toBe(typed);
      expect(wireTime(typed)).toBe("2026-06-01T08:30:00.000Z");
      expect(zoneName("2026-06-01T08:30:00.000Z")).toBe(name);
    }
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

test("an invalid time is empty", () => {
  for (const text of ["", "incomplete", "2026-13-01T00:00"])
    expect([typedTime(text), wireTime(text)]).toEqual(["", ""]);
});

test("some days from now are whole days, to the next minute", () => {
  expect(inDays(7, Date.parse("2026-06-01T08:30:41.123Z"))).toBe("2026-06-08T08:31:00.000Z");
});

test("the zone is that of the date, and days across a change of clocks are days", () => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "Europe/Berlin";
  writePreference(LOCAL_TIMES, "yes");
  try {
    expect(zoneName(wireTime("2027-07-01T12:00"))).toBe("GMT+2");
    expect(zoneName(wireTime("2027-01-01T12:00"))).toBe("GMT+1");
    // Clocks go forward on 28 March 2027.
    const now = Date.parse(wireTime("2027-03-27T09:30"));
    expect(typedTime(inDays(1, now))).toBe("2027-03-28T09:30");
    expect(inDays(1, now)).toBe("2027-03-28T07:30:00.000Z");
    writePreference(LOCAL_TIMES, null);
    expect(inDays(1, now)).toBe("2027-03-28T08:30:00.000Z");
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});
