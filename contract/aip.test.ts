import { describe, expect, it } from "vitest";

import {
  ancestorsOf,
  formatOrder,
  isUid,
  isWithin,
  parentOf,
  parseInt64,
  parseOrder,
  rootOf,
  topmost,
} from "./aip";

const root = "a".repeat(40);
const child = `${root}/${"b".repeat(16)}`;
const leaf = `${child}/${"c".repeat(16)}`;

describe("uids", () => {
  it("have an end", () => {
    const level = `/${"0".repeat(16)}`;
    expect(isUid(`${root}${level.repeat(63)}`)).toBe(true);
    expect(isUid(`${root}${level.repeat(64)}`)).toBe(false);
  });

  it("name their parents, root first", () => {
    expect(parentOf(leaf)).toBe(child);
    expect(parentOf(root)).toBe("");
    expect(rootOf(leaf)).toBe(root);
    expect(ancestorsOf(leaf)).toEqual([root, child]);
    expect(ancestorsOf(root)).toEqual([]);
  });

  it("are within an ancestor only at a slash, since a prefix is not a parent", () => {
    expect(isWithin(leaf, root)).toBe(true);
    expect(isWithin(root, root)).toBe(true);
    expect(isWithin(`${root}0`, root)).toBe(false);
    expect(isWithin(root, child)).toBe(false);
  });

  it("reduce to the topmost ones", () => {
    expect(topmost([leaf, child, root, leaf])).toEqual([root]);
    expect(topmost([leaf, "f".repeat(40)])).toEqual([leaf, "f".repeat(40)]);
  });
});

describe("order_by", () => {
  const sortable = ["name", "created_at", "last_seen_time"];
  it.each([
    ["name", "name"],
    ["name asc", "name"],
    ["name desc", "name desc"],
    ["createTime desc", "created_at desc"],
    ["create_time", "created_at"],
    ["lastSeenTime", "last_seen_time"],
  ])("reads %j as %j", (given, canonical) => {
    const order = parseOrder(given, sortable);
    expect(order && formatOrder(order)).toBe(canonical);
  });

  it.each(["", "uid", "name down", "name desc desc", "name;drop", "name, created_at"])(
    "refuses %j",
    (given) => {
      expect(parseOrder(given, sortable)).toBeUndefined();
    },
  );
});

describe("int64 strings", () => {
  it("stay exact: a number while that is safe, a bigint beyond", () => {
    expect(parseInt64("118")).toBe(118);
    expect(parseInt64("9007199254740993")).toBe(9007199254740993n);
    expect(parseInt64("many")).toBeUndefined();
    expect(parseInt64("")).toBeUndefined();
  });
});
