import { expect, it } from "vitest";

import { kindsIn } from "platform-contract/kinds";

import { holdsOnlyOwnBindings, isFull } from "./contents";

const nothing = Object.fromEntries(kindsIn("groups").map(({ collection }) => [collection, 0]));

it("knows an organization that holds nothing but the caller's own bindings", () => {
  expect(holdsOnlyOwnBindings({ ...nothing, roleBindings: 2 }, 2)).toBe(true);
  expect(holdsOnlyOwnBindings({ ...nothing, roleBindings: 2 }, 1)).toBe(false);
  expect(holdsOnlyOwnBindings({ ...nothing, roleBindings: 1, roles: 1 }, 1)).toBe(false);
  expect(holdsOnlyOwnBindings({ ...nothing, roleBindings: undefined }, 1)).toBe(false);
  expect(holdsOnlyOwnBindings(nothing, 0)).toBe(false);
});

it("knows a group that cannot be deleted, and takes none for one that may be", () => {
  expect(isFull(nothing, 0)).toBe(false);
  expect(isFull({ ...nothing, identities: 1, roles: undefined }, undefined)).toBe(true);
  expect(isFull({ ...nothing, roleBindings: 1 }, 0)).toBe(true);
  expect(isFull({ ...nothing, roleBindings: 1, roles: undefined }, 1)).toBe(false);
  expect(isFull({ ...nothing, roleBindings: 2 }, 1)).toBe(true);
  expect(isFull({ ...nothing, roleBindings: 2 }, undefined)).toBe(false);
  // Expired invites are deleted with the group, and only the service knows whether all of them are expired.
  expect(isFull({ ...nothing, groupInvites: 2 }, 0)).toBe(false);
});
