import { expect, it } from "vitest";

import { rangeText } from "./range-text";

const base = { first: 0, visible: 42, count: 118, more: false };

it.each([
  ["the top of a list", {}, "1–42 of 118"],
  ["its end", { first: 76 }, "77–118 of 118"],
  ["past the end, after rows were removed", { first: 200 }, "118–118 of 118"],
  ["fewer rows than there is room for", { count: 1 }, "1–1 of 1"],
  ["nothing", { count: 0 }, "0 of 0"],
  ["no count, more to come", { more: true }, "1–42 of 118+"],
  ["far down", { first: 5010, count: 120_000 }, "5,011–5,052 of 120,000"],
])("%s", (_, change, text) => {
  expect(rangeText({ ...base, ...change })).toBe(text);
});
