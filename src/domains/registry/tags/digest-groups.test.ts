import { expect, it } from "vitest";

import { groupByDigest, updatedAt } from "./digest-groups";

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
  const groups = groupByDigest(rows, false, "version desc");
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

it("does not group across repos, or without a digest", () => {
  const other = `${"a".repeat(40)}/${"2".repeat(16)}`;
  const rows = [tag("1", "one"), tag("1", "one", 1, other), tag("a", undefined), tag("b", undefined)];
  const groups = groupByDigest(rows, true, "name");
  expect(groups).toHaveLength(4);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(4);
  expect(groups[0]?.members).toEqual([[rows[0]?.uid, rows[0]]]);
});

it("is ordered by its newest tag, in both directions", () => {
  const rows = [tag("a", "one", 1), tag("b", "two", 2), tag("c", "one", 3)];
  const digests = (order: string, some: typeof rows) =>
    groupByDigest(some, false, order).map(({ digest }) => digest);
  expect(digests("updated_at", rows)).toEqual(["two", "one"]);
  expect(digests("updated_at desc", rows.toReversed())).toEqual(["one", "two"]);
});

it("reads times, however many digits of a second they have", () => {
  const at = (updateTime: string) => ({ ...tag("a", "one"), updateTime });
  const rows = [at("2026-01-01T00:00:00.5Z"), at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00.123Z")];
  expect(groupByDigest(rows, false, "name")[0]?.updateTime).toBe("2026-01-01T00:00:00.5Z");
  expect(rows.toSorted((a, b) => updatedAt(a) - updatedAt(b)).map(({ updateTime }) => updateTime)).toEqual([
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.123Z",
    "2026-01-01T00:00:00.5Z",
  ]);
});
