import { expect, test } from "vitest";

import type { Tag } from "platform-contract/registry/tags";
import type { ListView } from "~/frame/define";

import { inListOrder } from "./order";

const REPO = `${"a".repeat(40)}/${"1".repeat(16)}`;
const tag = (name: string, digest: string, second: number): Tag => ({
  uid: `${REPO}/${name}`,
  name,
  digest,
  updateTime: `2026-08-11T00:00:0${second}Z`,
});
// Sorted by name, as a scan reads them.
const byName = [
  tag("1.10", "sha256:b", 3),
  tag("1.2", "sha256:a", 4),
  tag("1.9", "sha256:b", 1),
  tag("latest", "sha256:b", 2),
];
const namesIn = (rows: readonly Tag[], search: ListView) => inListOrder(rows, search).map(({ name }) => name);

test.each<[ListView, string[]]>([
  [{}, ["1.2", "1.10", "latest", "1.9"]],
  [{ order: "updated_at" }, ["1.9", "latest", "1.10", "1.2"]],
  [{ deprecated: "no" }, ["1.2", "1.10", "latest", "1.9"]],
  [{ contains: "1", order: "name desc" }, ["latest", "1.9", "1.2", "1.10"]],
  [{ order: "version" }, ["1.2", "1.9", "1.10", "latest"]],
  [{ order: "version desc" }, ["latest", "1.10", "1.9", "1.2"]],
  // Within each group, in the order of its row.
  [{ by: "digest" }, ["1.2", "1.9", "1.10", "latest"]],
  [{ by: "digest", order: "version desc", repo: "r" }, ["1.9", "1.10", "latest", "1.2"]],
])("what was read by name stands as in the list: %j", (search, expected) => {
  expect(namesIn(byName, search)).toEqual(expected);
});
