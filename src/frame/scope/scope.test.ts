import { expect, it } from "vitest";

import { readScopeSearch, scopeOf, scopeQuery, screenSearch } from "./scope";

const root = "a".repeat(40);
const child = "b".repeat(16);

it("reads the scope of an address and makes it a filter", () => {
  const below = scopeOf(readScopeSearch({ group: `${root}_${child}`, order: "name" }));
  expect(below).toEqual({ group: `${root}/${child}`, reach: "below" });
  expect(scopeQuery(below)).toEqual({ "uidp.descendants_of": `${root}/${child}` });
  expect(scopeQuery(scopeOf(readScopeSearch({ group: root, reach: "here" })))).toEqual({
    "uidp.children_of": root,
  });
});

it("is everything visible without a group, or with text that is none", () => {
  expect(scopeQuery(scopeOf(readScopeSearch({})))).toEqual({});
  expect(readScopeSearch({ group: "acme", reach: "everywhere" })).toEqual({});
  expect(readScopeSearch({ group: ["a", "b"] })).toEqual({});
});

it("passes a screen only the parameters that it reads", () => {
  const read = screenSearch(({ order }) => (order === "name" ? { order } : {}));
  expect(read({ group: root, reach: "here", order: "name" })).toEqual({
    group: root,
    reach: "here",
    order: "name",
  });
  // Set to undefined: the router keeps parameters that are absent from the result.
  expect(Object.entries(read({ order: "nonsense", group: "acme" }))).toEqual([
    ["order", undefined],
    ["group", undefined],
  ]);
});
