import { expect, it } from "vitest";

import { groupByDigest } from "./-digest-groups";

const repo = `${"a".repeat(40)}/${"1".repeat(16)}`;
let made = 0;
const tag = (name: string, digest: string | undefined, day = 1, of = repo) => ({
  uid: `${of}/${String(++made).padStart(16, "0")}`,
  name,
  ...(digest !== undefined && { digest }),
  updateTime: `2026-01-0${day}T00:00:00.000Z`,
});

it("puts the names of one image into one row, in the order of their versions", () => {
  const rows = [
    tag("latest", "one"),
    tag("1.27.3", "one", 3),
    tag("1.26", "two"),
    tag("1", "one"),
    tag("1.27", "one"),
  ];
  const groups = groupByDigest(rows, false);
  expect(groups.map(({ tags }) => tags.map(({ name }) => name))).toEqual([
    ["1", "1.27", "1.27.3", "latest"],
    ["1.26"],
  ]);
  expect([groups[0]?.digest, groups[0]?.updateTime, groups[0]?.uid]).toEqual([
    "one",
    "2026-01-03T00:00:00.000Z",
    rows[0]?.uid,
  ]);
  expect(groups[0]?.tags).toBe(groups[0]?.tags);
});

it("keeps apart what is of two repos, or of no digest", () => {
  const other = `${"a".repeat(40)}/${"2".repeat(16)}`;
  const rows = [tag("1", "one"), tag("1", "one", 1, other), tag("a", undefined), tag("b", undefined)];
  expect(groupByDigest(rows, true)).toHaveLength(4);
});
