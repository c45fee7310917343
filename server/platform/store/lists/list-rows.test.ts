import { afterAll, beforeAll, expect, test } from "vitest";

import { isWithin, topmost, type Order } from "platform-contract/aip";

import { apart, planGroups } from "../../../commands/seed/scale-plan";
import { openMigrated } from "../../../testing/database";
import type { Database } from "../database";
import { groupsTable } from "../../../domains/organization/groups.table";
import { selectionOf } from "./list-parts";
import { readRows } from "./list-rows";

/** Page size: less than any of the lists has. */
const LIMIT = 7;
const SIZE = { groups: 150, depth: 7, identities: 0, bindings: 0 };
const { uids, group } = planGroups(SIZE);
/** Names share a prefix within a folder and differ outside, many times are equal: statistics do not show either. */
const rows = uids.map((uid, index) => {
  const name = `${uid.slice(0, 60)} ${index % 9}`;
  return { uid, parent: group(index).parent, name, created_at: new Date(Date.UTC(2026, 0, 1 + (index % 5))) };
});

/** Other organizations, before and after ours. */
const OUTER = ["0", "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"].map((start) => ({
  uid: start.padEnd(40, "f"),
  parent: null,
  name: `outer ${start}`,
  created_at: new Date(Date.UTC(2026, 0, 2)),
}));
rows.push(...OUTER);

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  await database.query(
    `insert into groups (uid, parent, name, created_at, updated_at)
     select k.*, k.created_at from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
       as k (uid, parent, name, created_at)`,
    [
      rows.map(({ uid }) => uid),
      rows.map(({ parent }) => parent),
      rows.map(({ name }) => name),
      rows.map(({ created_at }) => created_at),
    ],
  );
});
afterAll(() => database.close());

const value = (row: (typeof rows)[number], field: string) =>
  field === "name" ? row.name : field === "uid" ? row.uid : row.created_at.toISOString();

function sorted(some: typeof rows, { field, descending }: Order): string[] {
  const sign = descending ? -1 : 1;
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const tie = field === "uid" ? sign : 1;
  return some
    .toSorted((a, b) => sign * compare(value(a, field), value(b, field)) || tie * compare(a.uid, b.uid))
    .map(({ uid }) => uid);
}

async function walk(
  groups: readonly string[],
  query: Record<string, string>,
  order: Order,
  total: number | undefined,
) {
  const rootLevel = query["outer"] === undefined ? undefined : () => `t.name like 'outer %'`;
  const selection = selectionOf(groupsTable, query, { groups, rootLevel });
  const found: string[] = [];
  for (let position: { value: string | number; uid: string; total: string } | undefined; ;) {
    const page = await readRows(database, groupsTable, selection, {
      order,
      position,
      limit: LIMIT,
      skip: 0,
      total,
    });
    for (const row of page) found.push(String(row["uid"]));
    const last = page.at(-1);
    if (!last || page.length < LIMIT) return found;
    const at = last["sort_value"];
    position = {
      value: at instanceof Date ? at.getTime() : String(at),
      uid: String(last["uid"]),
      total: "0",
    };
  }
}

const level = (length: number) => uids.filter((uid) => uid.length === length);
const BUSY = String(uids.toSorted((a, b) => childrenOf(b) - childrenOf(a))[0]);
function childrenOf(uid: string): number {
  return rows.filter(({ parent }) => parent === uid).length;
}
const leaves = topmost(uids.filter((uid) => !uids.some((other) => other.startsWith(`${uid}/`))));
const FOLDER = String(level(57).toSorted((a, b) => within(b).length - within(a).length)[0]);
function within(uid: string): string[] {
  return uids.filter((other) => isWithin(other, uid));
}

/** Groups without identities, as most are: more than one read covers. */
const EMPTY = Array.from(
  { length: 300 },
  (_, index) => `${uids[0]}/${index.toString(16).padStart(3, "0")}${"0".repeat(13)}`,
);

const CASES: [string, readonly string[], Record<string, string>][] = [
  ["the organization", uids.slice(0, 1), {}],
  ["a folder", uids.slice(0, 1), { "uidp.descendants_of": FOLDER }],
  ["the children of a group", uids.slice(0, 1), { "uidp.children_of": BUSY }],
  ["ten groups", apart(uids, 10) ?? [], {}],
  ["so many that most are looked at only when their turn comes", leaves, {}],
  ["most of them empty, and rows at root level", topmost([...leaves, ...EMPTY]), { outer: "seen" }],
];
const ORDERS = ["uid", "name", "created_at"].flatMap((field) =>
  [false, true].map((descending): Order => ({ field, descending })),
);

test.each(CASES)(
  "%s: the same rows in the same order, however large it is said to be",
  async (_, groups, query) => {
    const seen = rows.filter(
      ({ uid, parent }) =>
        (groups.some((one) => isWithin(uid, one)) ||
          (query["outer"] !== undefined && OUTER.some((one) => one.uid === uid))) &&
        (query["uidp.descendants_of"] === undefined || uid.startsWith(`${query["uidp.descendants_of"]}/`)) &&
        (query["uidp.children_of"] === undefined || parent === query["uidp.children_of"]),
    );
    expect(seen.length).toBeGreaterThan(LIMIT);
    for (const order of ORDERS)
      for (const total of [seen.length, 1_000_000, undefined])
        expect(await walk(groups, query, order, total), JSON.stringify({ order, total })).toEqual(
          sorted(seen, order),
        );
  },
);
