import { expect, it } from "vitest";

import { blockersOf, holdsOnlyOwnBindings, isEmpty, isFull, quantityOf } from "./contents";

const nothing = { folders: 0, identities: 0, roles: 0, bindings: 0, repos: 0 };

it("says what blocks a deletion, in the order in which to take it away", () => {
  expect(blockersOf({ folders: 3, identities: 12n, roles: 0, bindings: 1, repos: 2 })).toEqual([
    { kind: "folders", count: 3 },
    { kind: "bindings", count: 1 },
    { kind: "identities", count: 12n },
    { kind: "repos", count: 2 },
  ]);
});

it("does not take what it could not count for nothing", () => {
  expect(isEmpty(nothing)).toBe(true);
  expect(isEmpty({ ...nothing, roles: undefined })).toBe(false);
  expect(blockersOf({ ...nothing, roles: undefined })).toEqual([]);
});

it("knows an organization that holds nothing but the caller's own bindings", () => {
  expect(holdsOnlyOwnBindings({ ...nothing, bindings: 2 }, 2)).toBe(true);
  expect(holdsOnlyOwnBindings({ ...nothing, bindings: 2 }, 1)).toBe(false);
  expect(holdsOnlyOwnBindings({ ...nothing, bindings: 1, roles: 1 }, 1)).toBe(false);
  expect(holdsOnlyOwnBindings({ ...nothing, bindings: undefined }, 1)).toBe(false);
  expect(holdsOnlyOwnBindings(nothing, 0)).toBe(false);
});

it("knows a group that cannot be deleted, and takes none for one that may be", () => {
  expect(isFull(nothing, 0)).toBe(false);
  expect(isFull({ ...nothing, identities: 1, roles: undefined }, undefined)).toBe(true);
  expect(isFull({ ...nothing, bindings: 1 }, 0)).toBe(true);
  expect(isFull({ ...nothing, bindings: 1, roles: undefined }, 1)).toBe(false);
  expect(isFull({ ...nothing, bindings: 2 }, 1)).toBe(true);
  expect(isFull({ ...nothing, bindings: 2 }, undefined)).toBe(false);
});

it("counts in words", () => {
  expect(quantityOf("identities", 1)).toBe("1 identity");
  expect(quantityOf("bindings", 1204)).toBe("1,204 role bindings");
});
