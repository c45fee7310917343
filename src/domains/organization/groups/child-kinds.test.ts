import { expect, it } from "vitest";

import { kindsIn } from "platform-contract/kinds";

import { childrenIn, isEmpty, quantityOf } from "./child-kinds";

const nothing = Object.fromEntries(kindsIn("groups").map(({ collection }) => [collection, 0]));

it("says what blocks a deletion, in the order in which to delete it", () => {
  const contents = { ...nothing, groups: 3, identities: 12n, roleBindings: 1, repos: 2 };
  expect(childrenIn("groups", contents, "blocks").map(quantityOf)).toEqual([
    "2 repos",
    "1 role binding",
    "12 identities",
    "3 folders",
  ]);
  expect(childrenIn("groups", contents, "goes")).toEqual([]);
});

it("does not treat an unknown count as zero", () => {
  expect(isEmpty("groups", nothing)).toBe(true);
  expect(isEmpty("groups", { ...nothing, roles: undefined })).toBe(false);
  expect(childrenIn("groups", { ...nothing, roles: undefined }, "blocks")).toEqual([]);
});
