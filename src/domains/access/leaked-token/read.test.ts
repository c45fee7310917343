import { expect, test } from "vitest";

import { beginOf } from "./read";

const NOW = Date.parse("2026-05-01T12:00:00Z");

test("the log is searched from a minute before the token was issued", () => {
  expect(beginOf({ issued: NOW - 60_000 }, NOW)).toBe("2026-05-01T11:58:00.000Z");
  expect(beginOf({ issued: undefined }, NOW)).toBeUndefined();
});

test("a time of issue that hasn't come hides nothing", () => {
  expect(beginOf({ issued: NOW + 61_000 }, NOW)).toBeUndefined();
  // One that no service can read.
  expect(beginOf({ issued: 8e15 }, NOW)).toBeUndefined();
});
