import { expect, it } from "vitest";

import { errorFacts } from "./error-facts";

const violationsOf = (violations: unknown) => errorFacts({ message: "No.", violations }).violations;

it("keeps what a violation says, and says something of one that names a field only", () => {
  expect(
    violationsOf([
      { field: "name", description: "is taken" },
      { field: "source", description: " " },
    ]),
  ).toEqual([
    { field: "name", description: "is taken" },
    { field: "source", description: "The service rejected this value without giving a reason." },
  ]);
});

it("leaves out what says nothing: the message stands alone then", () => {
  expect(violationsOf([{ field: "", description: "" }, {}, null, 7])).toEqual([]);
  expect(violationsOf("name is taken")).toEqual([]);
});
