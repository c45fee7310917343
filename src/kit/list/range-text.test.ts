import { expect, it } from "vitest";

import { rangeText } from "./range-text";

const base = {
  first: 0,
  visible: 42,
  firstRow: 0,
  loaded: 118,
  total: 118 as number | bigint | undefined,
  hasMore: false,
};

it.each([
  ["the top of a counted list", {}, "1–42 of 118"],
  ["its end", { first: 76 }, "77–118 of 118"],
  ["past the end, after rows were removed", { first: 200 }, "118–118 of 118"],
  ["fewer rows than there is room for", { loaded: 1, total: 1 }, "1–1 of 1"],
  ["nothing", { loaded: 0, total: 0 }, "0 of 0"],
  ["a count as an int64", { total: 9_007_199_254_740_993n, hasMore: true }, "1–42 of 9,007,199,254,740,993"],
  ["no count, more to come", { total: undefined, hasMore: true }, "1–42 of 118+"],
  ["no count, all loaded", { total: undefined }, "1–42 of 118"],
  ["a count from before rows were added", { total: 100, hasMore: true }, "1–42 of 118+"],
  [
    "entered in the middle",
    { firstRow: 5000, first: 5010, loaded: 50, total: 120_000, hasMore: true },
    "5,011–5,050 of 120,000",
  ],
])("%s", (_, change, text) => {
  expect(rangeText({ ...base, ...change })).toBe(text);
});
