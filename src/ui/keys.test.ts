import { expect, test } from "vitest";

import { isKeyOf, isOneOf, keysOf, recordWith } from "./keys";

const RANKS = { high: 2, low: 1 };

test("a key is one of the record itself, not of its prototype", () => {
  expect(["high", "constructor", "toString", ""].filter((key) => isKeyOf(RANKS, key))).toEqual(["high"]);
});

test("all keys, and a record made of keys", () => {
  expect(keysOf(RANKS)).toEqual(["high", "low"]);
  expect(recordWith(keysOf(RANKS), (key) => key.length)).toEqual({ high: 4, low: 3 });
});

test("a value is one of several only if it is the same", () => {
  expect([1, "1", undefined].filter((value) => isOneOf([1, 2], value))).toEqual([1]);
});
