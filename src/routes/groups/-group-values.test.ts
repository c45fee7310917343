import { expect, it } from "vitest";

import { fromGroup, masked, toBody } from "./-group-values";

const uid = "a".repeat(40);

it("asks for what a caller may set, an absent description being an empty one", () => {
  expect(fromGroup({ uid, name: "runtime", verified: true })).toEqual({ name: "runtime", description: "" });
});

it("sends neither spaces around a name nor fields that were not changed", () => {
  const body = toBody({ name: " runtime ", description: "" });
  expect(body).toEqual({ name: "runtime", description: "" });
  expect(masked(body, ["description"])).toEqual({ description: "" });
  expect(masked(body, [])).toEqual({});
});
