import { describe, expect, it } from "vitest";

import { changedPaths } from "./dirty-paths";

const before = {
  name: "ci",
  description: "",
  claimMatch: { issuer: "https://a", subject: "b", claims: { ref: "main" } },
  tags: ["x"],
};

describe("changedPaths", () => {
  it("names leaves of objects", () => {
    const after = { ...before, claimMatch: { ...before.claimMatch, subject: "c" }, name: "cd" };
    expect(changedPaths(before, after)).toEqual(["name", "claimMatch.subject"]);
  });

  it("takes lists and map fields whole", () => {
    const after = {
      ...before,
      tags: ["x", "y"],
      claimMatch: { ...before.claimMatch, claims: { sub: "me" } },
    };
    expect(changedPaths(before, after, new Set(["claimMatch.claims"]))).toEqual([
      "claimMatch.claims",
      "tags",
    ]);
  });

  it("names the leaves of an object that came or went", () => {
    expect(changedPaths({}, { staticKeys: { issuer: "i", subject: "s" } })).toEqual([
      "staticKeys.issuer",
      "staticKeys.subject",
    ]);
    expect(changedPaths({ staticKeys: { issuer: "i" } }, { staticKeys: undefined })).toEqual([
      "staticKeys.issuer",
    ]);
  });

  it("is empty if nothing changed, or one empty value became another", () => {
    expect(changedPaths(before, structuredClone(before))).toEqual([]);
    expect(
      changedPaths({ a: undefined, b: "", c: [], d: {} }, { a: "", b: undefined, c: undefined, d: null }),
    ).toEqual([]);
  });

  it("detects an added or removed map entry, even if its value is empty", () => {
    const map = new Set(["in.map"]);
    expect(changedPaths({ in: { map: { a: "1" } } }, { in: { map: { a: "1", b: "" } } }, map)).toEqual([
      "in.map",
    ]);
    expect(changedPaths({}, { in: { map: { b: "" } } }, map)).toEqual(["in.map"]);
    expect(changedPaths({ in: { map: { b: "" } } }, { in: { map: { b: "" } } }, map)).toEqual([]);
    expect(changedPaths({ in: {} }, { in: { map: {} } }, map)).toEqual([]);
  });

  it("distinguishes false and 0 from empty", () => {
    expect(changedPaths({ on: true, n: 1 }, { on: false, n: 0 })).toEqual(["on", "n"]);
  });
});
