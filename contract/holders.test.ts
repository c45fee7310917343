import { expect, it } from "vitest";

import { betweenGroupAnd, groupOf } from "./holders";

const group = "a".repeat(40);
const repo = `${group}/${"b".repeat(16)}`;
const tag = `${repo}/${"c".repeat(16)}`;

it("finds the group of a record, and what lies in between", () => {
  expect(betweenGroupAnd({ collection: "tags", uid: tag })).toEqual([{ collection: "repos", uid: repo }]);
  expect(betweenGroupAnd({ collection: "repos", uid: repo })).toEqual([]);
  expect(groupOf({ collection: "tags", uid: tag })).toBe(group);
  expect(groupOf({ collection: "repos", uid: repo })).toBe(group);
  expect(groupOf({ collection: "groups", uid: repo })).toBe(repo);
  expect(groupOf({ collection: "roles", uid: group })).toBe("");
  expect(groupOf({ collection: "accountAssociations", uid: group })).toBe(group);
});
