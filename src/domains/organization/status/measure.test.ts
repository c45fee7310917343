import { expect, it } from "vitest";

import { AREA_WORDS, AREAS, medianOf } from "./measure";

it("asks every area of the contract once, ping first", () => {
  const names = AREAS.map(({ name }) => name);
  expect(names[0]).toBe("ping");
  expect(names.toSorted()).toEqual([
    "advisory",
    "events",
    "iam",
    "libraries",
    "ping",
    "registry",
    "vulnerabilities",
  ]);
  expect(Object.keys(AREA_WORDS).toSorted()).toEqual(names.toSorted());
  for (const { endpoint, query } of AREAS) {
    expect(Object.keys(endpoint.variables)).toEqual([]);
    // The query contains every required parameter.
    for (const [name, schema] of Object.entries(endpoint.query))
      expect(schema.safeParse((query as Record<string, unknown>)[name]).success, name).toBe(true);
  }
});

it("takes the median", () => {
  expect(medianOf([])).toBeUndefined();
  expect(medianOf([9, 1, 5])).toBe(5);
  expect(medianOf([10, 1, 2, 4])).toBe(3);
});
