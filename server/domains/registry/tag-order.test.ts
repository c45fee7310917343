import { afterAll, beforeAll, expect, test } from "vitest";

import { isWithin, type Order } from "platform-contract/aip";

import { openMigrated } from "../../testing/database";
import type { Database } from "../../platform/store/database";
import { selectionOf } from "../../platform/store/lists/list-parts";
import { readRows } from "../../platform/store/lists/list-rows";
import { familyOf, tagsTable } from "./tags.table";

const ROOTS = ["a", "b", "c"].map((start) => start.repeat(40));
const FOLDERS = ROOTS.flatMap((root) => [0, 1].map((index) => `${root}/${index.toString().repeat(16)}`));
const REPOS = FOLDERS.flatMap((folder) => ["e", "f"].map((digit) => `${folder}/${digit.repeat(16)}`));
const NAMES = ["1.0", "latest", "1.0-20260101", "1.0-r3", "sha256-aa", "2.0", "0.9"];
const tags = REPOS.flatMap((parent, repo) =>
  NAMES.map((name, index) => ({
    uid: `${parent}/${index.toString(16).padStart(16, "0")}`,
    parent,
    name: index % 2 === 0 ? name : `${name}-${repo}`,
    created_at: new Date(Date.UTC(2026, 0, 1 + ((repo + index) % 5))),
  })),
).map((tag) => ({ ...tag, family: familyOf(tag.name) }));

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  const groups = [...ROOTS, ...FOLDERS];
  await database.query(
    `insert into groups (uid, parent, name, created_at, updated_at)
     select uid, nullif(left(uid, 40), uid), 'group', now(), now() from unnest($1::text[]) as k (uid)`,
    [groups],
  );
  await database.query(
    `insert into repos (uid, parent, name, created_at, updated_at)
     select uid, left(uid, 57), right(uid, 1), now(), now() from unnest($1::text[]) as k (uid)`,
    [REPOS],
  );
  await database.query(
    `insert into tags (uid, parent, name, family, digest, created_at, updated_at)
     select uid, parent, name, family, 'sha256:0', at, at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
       as k (uid, parent, name, family, at)`,
    [
      tags.map(({ uid }) => uid),
      tags.map(({ parent }) => parent),
      tags.map(({ name }) => name),
      tags.map(({ family }) => family),
      tags.map(({ created_at }) => created_at),
    ],
  );
});
afterAll(() => database.close());

async function walk(groups: readonly string[], query: Record<string, unknown>, order: Order) {
  const selection = selectionOf(tagsTable, query, { groups });
  const found: string[] = [];
  for (let position: { value: string | number; uid: string; total: string } | undefined; ;) {
    // A total for which rows are never sorted.
    const page = { order, position, limit: 2, skip: 0, total: 1_000_000 };
    const rows = await readRows(database, tagsTable, selection, page);
    found.push(...rows.map((row) => String(row["uid"])));
    const last = rows.at(-1);
    if (!last || rows.length < 2) return found;
    const at = last["sort_value"];
    const value = at instanceof Date ? at.getTime() : String(at);
    position = { value, uid: String(last["uid"]), total: "0" };
  }
}

const ALL = { includeDates: true, includeEpochs: true, includeReferrers: true };
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

test.each([
  ["one organization", [ROOTS[0]], {}],
  ["two organizations, all names", ROOTS.slice(1), ALL],
  ["a folder of what is seen", ROOTS, { "uidp.descendants_of": FOLDERS[2], includeDates: true }],
  ["two folders", [FOLDERS[0], FOLDERS[3]], ALL],
  ["one name", ROOTS, { name: "latest-1", ...ALL }],
  ["one name of a hidden family", ROOTS, { name: "sha256-aa" }],
  ["one name in a folder", ROOTS, { "uidp.descendants_of": FOLDERS[2], name: "1.0-20260101" }],
  ["one digest", ROOTS.slice(1), { digest: "sha256:0" }],
  ["one repo", ROOTS, { "uidp.children_of": REPOS[5] }],
  ["one repo, all names", ROOTS, { "uidp.children_of": REPOS[5], ...ALL }],
  ["one repo within a folder", ROOTS, { "uidp.children_of": REPOS[5], "uidp.descendants_of": FOLDERS[2] }],
  ["one digest in a repo", ROOTS, { "uidp.children_of": REPOS[5], digest: "sha256:0" }],
  ["one name in a repo", ROOTS, { "uidp.children_of": REPOS[5], name: "1.0-20260101" }],
  [
    "one repo since a day",
    ROOTS,
    { "uidp.children_of": REPOS[5], updatedSince: "2026-01-02T00:00:00Z", ...ALL },
  ],
])("tags of %s come in order, each once", async (_, groups, query: Record<string, unknown>) => {
  const shown = new Set([
    "",
    ...(query["includeDates"] === true ? ["dated"] : []),
    ...(query["includeEpochs"] === true ? ["epoch", "referrer"] : []),
  ]);
  const seen = tags.filter(
    ({ uid, parent, family, name, created_at }) =>
      groups.some((group) => isWithin(uid, String(group))) &&
      (query["uidp.children_of"] === undefined || parent === query["uidp.children_of"]) &&
      (query["updatedSince"] === undefined || created_at > new Date(String(query["updatedSince"]))) &&
      uid.startsWith(String(query["uidp.descendants_of"] ?? "")) &&
      (shown.has(family) || query["name"] !== undefined || query["digest"] !== undefined) &&
      (query["name"] === undefined || query["name"] === name),
  );
  expect(seen.length).toBeGreaterThan(0);
  for (const field of ["uid", "name", "created_at", "updated_at"] as const)
    for (const descending of [false, true]) {
      const value = (tag: (typeof tags)[number]) =>
        field === "name" || field === "uid" ? tag[field] : tag.created_at.toISOString();
      const sign = descending ? -1 : 1;
      const expected = seen.toSorted((a, b) => sign * compare(value(a), value(b)) || compare(a.uid, b.uid));
      const found = await walk(groups.map(String), query, { field, descending });
      expect(found).toEqual(expected.map(({ uid }) => uid));
    }
});
