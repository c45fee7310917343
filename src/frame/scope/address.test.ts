import { expect, it } from "vitest";

import { isUidParam, readDrawer, readTexts } from "./address";

it("reads text unchanged, and ignores other values", () => {
  const address = { name: "1e5", contains: "  ", tier: 7, digest: ["a"], other: "x" };
  expect(readTexts(address, ["name", "contains", "tier", "digest"])).toEqual({ name: "1e5" });
});

it("reads only a drawer that there is", () => {
  expect(readDrawer({ drawer: "edit" }, ["create", "edit"])).toEqual({ drawer: "edit" });
  for (const drawer of ["explode", ["edit"], undefined])
    expect(readDrawer({ drawer }, ["create", "edit"])).toEqual({});
});

it("knows a uid as an address writes it", () => {
  const [root, child] = ["a".repeat(40), "b".repeat(16)];
  for (const uid of [root, `${root}_${child}`, `${root}_${child}_${child}`])
    expect(isUidParam(uid)).toBe(true);
  for (const other of ["acme", child, `${root}_`, `${root}-${child}`, 7, undefined])
    expect(isUidParam(other)).toBe(false);
});
