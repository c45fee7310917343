import { describe, expect, it } from "vitest";

import { findAnchor } from "./anchor";

const keys = ["a", "b", "c", "d", "e"];
const at = (index: number) => ({ key: keys[index] ?? "", index, keys });

describe("findAnchor", () => {
  it.each([
    ["nothing moved", keys, 2],
    ["pages were added behind", [...keys, "f", "g"], 2],
    ["rows came above", ["x", "y", ...keys], 4],
    ["rows above were removed", ["c", "d", "e"], 0],
    ["the order changed", ["e", "d", "c", "b", "a"], 2],
    ["it is gone: the next stands in its place", ["a", "b", "d", "e"], 2],
    ["it and all after it are gone: the one before", ["a", "b"], 1],
    ["another list", ["x", "y", "z"], undefined],
    ["an empty list", [], undefined],
  ])("%s", (_, next, index) => {
    expect(findAnchor(at(2), next)).toBe(index);
  });
});
