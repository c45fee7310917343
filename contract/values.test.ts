import { expect, it } from "vitest";

import { isBlank, isUnset, sameMap, sameValue } from "./values";

it.each([undefined, null, "", [], {}])("%j is not set", (value) => {
  expect(isUnset(value)).toBe(true);
  expect(sameValue(value, undefined)).toBe(true);
});

it.each([false, 0, " ", [""], { a: "" }, new Date(0)])("%j is set", (value) => {
  expect(isUnset(value)).toBe(false);
});

it("an object of nothing is blank, a list of nothing has a length", () => {
  expect(isBlank({ a: { b: "" }, c: [] })).toBe(true);
  expect(isBlank([""])).toBe(false);
  expect(isBlank({ a: false })).toBe(false);
});

it.each([
  [{ a: 1, b: "" }, { a: 1 }],
  ["2026-01-28T12:54:21Z", "2026-01-28T13:54:21.000+01:00"],
  ["9007199254740993", "9007199254740993"],
  [12, "12"],
  [[{ a: "x" }], [{ a: "x", b: null }]],
])("%j means the same as %j", (a, b) => {
  expect(sameValue(a, b)).toBe(true);
  expect(sameValue(b, a)).toBe(true);
});

it.each([
  [false, undefined],
  [0, ""],
  [
    ["a", "b"],
    ["b", "a"],
  ],
  [{ a: "x" }, ["x"]],
  [undefined, "undefined"],
])("%j does not mean the same as %j", (a, b) => {
  expect(sameValue(a, b)).toBe(false);
  expect(sameValue(b, a)).toBe(false);
});

it("an entry of a map counts even if its value is empty", () => {
  expect(sameMap({ a: "" }, {})).toBe(false);
  expect(sameMap({ a: "" }, { a: "" })).toBe(true);
  expect(sameMap({}, undefined)).toBe(true);
});

it.each([
  [{ a: "x" }, { a: "x", b: "y" }],
  [{ a: "x" }, { a: "x", b: "" }],
  [
    { a: "x", b: "y" },
    { a: "x", c: "y" },
  ],
])("%j is another map than %j, either way round", (a, b) => {
  expect(sameMap(a, b)).toBe(false);
  expect(sameMap(b, a)).toBe(false);
});

it("an entry without a value is not in a map", () => {
  expect(sameMap({ a: "x" }, { a: "x", b: undefined })).toBe(true);
});
