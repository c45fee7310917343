import { expect, test } from "vitest";

import { changesBetween } from "./changes";

const NO_LEAVES = new Set<string>();

test("the mask has the leaves that differ, and the body their new values alone", () => {
  const before = { name: "a", deep: { kept: 1, changed: 1, gone: 1 }, list: [1, 2] };
  const after = { name: "a", deep: { kept: 1, changed: 2 }, list: [1], added: { at: { last: "x" } } };
  expect(changesBetween<Record<string, unknown>>(before, after, NO_LEAVES)).toEqual({
    mask: ["deep.changed", "deep.gone", "list", "added.at.last"],
    body: { deep: { changed: 2 }, list: [1], added: { at: { last: "x" } } },
  });
});

test("a map that is named is replaced whole, a branch that is gone leaves nothing in the body", () => {
  expect(
    changesBetween<Record<string, unknown>>(
      { map: { a: "1", b: "2" }, deep: { in: { it: 1 } } },
      { map: { a: "1" } },
      new Set(["map"]),
    ),
  ).toEqual({ mask: ["map", "deep.in.it"], body: { map: { a: "1" } } });
});
