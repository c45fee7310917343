import { expect, it } from "vitest";

import { trimEndOf, trimStartOf } from "./trim";

it.each([
  ["", "", ""],
  ["((", "", ""],
  ["(a", "a", "(a"],
  ["a)", "a)", "a"],
  ["()a()", "a()", "()a"],
])("%s", (text, start, end) => {
  expect(trimStartOf(text, "()")).toBe(start);
  expect(trimEndOf(text, "()")).toBe(end);
});
