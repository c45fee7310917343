import { expect, it } from "vitest";

import { groups } from "platform-contract/iam/groups";

import { readList, readRecord, staysBelow, withoutNulls } from "./wire";

const uid = "a".repeat(40);
const row = { uid, name: "acme" };

it("reads a missing name as an empty one", () => {
  expect(readList(groups.list, { groups: [{ uid }] })).toEqual({ items: [{ uid, name: "" }] });
  expect(readRecord(groups.answer, { uid })).toEqual({ value: { uid, name: "" } });
  expect(readRecord(groups.answer, { uid, name: 42 })).toBeUndefined();
  expect(readRecord(groups.answer, { name: "acme" })).toBeUndefined();
});

it.each([
  ["text"],
  [[row]],
  [42],
  [undefined],
  [{ groups: "none" }],
  [{ groups: row }],
  [{ groups: [row, { ...row, name: 42 }] }],
  [{ groups: [{ name: "no uid" }] }],
  [{ groups: ["text"] }],
  [{ totalCount: "3" }],
])("is no list: %j", (answer) => expect(readList(groups.list, answer)).toBeUndefined());

it("is invalid if the page token repeats", () => {
  const page = { groups: [row], nextPageToken: "t" };
  expect(readList(groups.list, page, { page_token: "s" })).toEqual({ items: [row], nextPageToken: "t" });
  expect(readList(groups.list, page, { page_token: "t" })).toBeUndefined();
});

it("is an empty list after the last row, whatever the total", () => {
  expect(readList(groups.list, { totalCount: "3" }, { skip: 3 })?.items).toEqual([]);
  expect(readList(groups.list, { totalCount: "3" }, { page_token: "t" })?.items).toEqual([]);
  expect(readList(groups.list, { totalCount: "3", nextPageToken: "t" })?.items).toEqual([]);
});

it("reads a page token and a total that came as numbers, and nothing else in their place", () => {
  expect(readList(groups.list, { nextPageToken: 7, totalCount: 8, skipped: "9", groups: [row] })).toEqual({
    items: [row],
    nextPageToken: "7",
    totalCount: "8",
  });
  expect(readList(groups.list, { nextPageToken: {}, totalCount: [1] })).toEqual({ items: [] });
});

it("removes nulls at any depth", () => {
  const levels = 20_000;
  const text = `${'{"a":null,"b":[null,'.repeat(levels)}1${"]}".repeat(levels)}`;
  let value = withoutNulls(JSON.parse(text));
  for (let level = 0; level < levels; level++) [value] = (value as { b: unknown[] }).b;
  expect(value).toBe(1);
});

it("finds uids that lead outside of their collection", () => {
  expect([uid, `${uid}/b`, "", "a..b", "..."].map(staysBelow)).not.toContain(false);
  expect(["..", ".", `x/../../groups/${uid}`, `${uid}/.`].map(staysBelow)).not.toContain(true);
});
