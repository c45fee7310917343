import { expect, it } from "vitest";

import { endProblem } from "./role-bindings";

const now = Date.parse("2026-01-28T12:00:00.000Z");

it.each([
  ["2026-01-28T11:59:59.999Z", "must be in the future"],
  ["2026-01-28T12:00:00.000Z", "must be in the future"],
  ["2026-01-28T12:00:00.001Z", undefined],
  ["2036-01-28T12:00:00.000Z", undefined],
  ["2036-01-28T12:00:00.001Z", "must be at most 10 years from now"],
])("an end at %s is refused with %j", (end, problem) => {
  expect(endProblem(Date.parse(end), now)).toBe(problem);
});
