import { expect, it } from "vitest";

import { isBelowOrganization, reaches } from "./reach";

const root = "a".repeat(40);
const folder = `${root}/${"b".repeat(16)}`;
const below = `${folder}/${"c".repeat(16)}`;
const identity = `${folder}/${"d".repeat(16)}`;

it("an identity reaches its own group and what is below, a person everything", () => {
  expect([folder, below].map((group) => reaches(identity, group))).toEqual([true, true]);
  expect([root, `${root}/${"e".repeat(16)}`].map((group) => reaches(identity, group))).toEqual([
    false,
    false,
  ]);
  expect(reaches("f".repeat(40), root)).toBe(true);
});

it("knows a place that does not reach the organization", () => {
  expect([root, folder, below, ""].map(isBelowOrganization)).toEqual([false, true, true, false]);
});
