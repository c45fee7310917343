import { expect, it } from "vitest";

import { errorFacts } from "./error-facts";

const violationsOf = (violations: unknown) => errorFacts({ message: "No.", violations }).violations;

it("keeps a violation's description, and has a default for one without", () => {
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

it("omits empty violations: the message is shown alone", () => {
  expect(violationsOf([{ field: "", description: "" }, {}, null, 7])).toEqual([]);
  expect(violationsOf("name is taken")).toEqual([]);
});
