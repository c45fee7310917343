import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Order } from "platform-contract/aip";

import { openMigrated } from "../../../testing/database";
import type { Database } from "../database";
import { identitiesTable } from "../../../domains/identities/identities.table";
import { reposTable } from "../../../domains/registry/repos.table";
import type { Item, Table } from "../table";
import { PAGE_BYTES } from "./list-rows";
import { listPage } from "./lists";
import { pageTokens } from "./page-tokens";

const ROOT = "a".repeat(40);
/** More than one read covers, so that uid order reads them in turn. */
const FOLDERS = Array.from({ length: 12 }, (_, index) => `${ROOT}/${index.toString(16).padStart(16, "0")}`);
/** Length of the largest accepted record. */
const LARGE = 250_000;

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  await database.query(
    `insert into groups (uid, parent, name, created_at, updated_at)
     select uid, nullif($2, uid), 'group', now(), now() from unnest($1::text[]) as k (uid)`,
    [[ROOT, ...FOLDERS], ROOT],
  );
  // 48 large ones, 4 in each folder, and people at root level between and after them.
  await database.query(
    `insert into identities (uid, parent, name, relationship, definition, created_at, updated_at)
     select parent || '/' || lpad(to_hex(n), 16, '0'), parent, 'bot ' || n % 3, 'staticKeys',
       jsonb_build_object('issuerKeys', repeat('x', $2)), now() + n * interval '1 s', now()
     from unnest($1::text[]) as k (parent) cross join generate_series(1, 4) n`,
    [FOLDERS, LARGE],
  );
  await database.query(
    `insert into identities (uid, name, relationship, definition, created_at, updated_at)
     select rpad(start, 40, '0'), 'person', 'claimMatch', '{}', now(), now()
     from unnest($1::text[]) as k (start)`,
    [["0", "1", "ab", "b", "c"]],
  );
  await database.query(
    `insert into repos (uid, parent, name, bundles, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'repo ' || n, array[repeat('x', $2)], now(), now()
     from generate_series(1, 20) n`,
    [FOLDERS[0], LARGE],
  );
  // Copies show their source's values, and weigh as much.
  await database.query(
    `insert into repos (uid, parent, name, source_uid, sync, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'copy ' || n, $2, '{}', now(), now()
     from generate_series(100, 140) n`,
    [FOLDERS[1], `${FOLDERS[0]}/${"1".padStart(16, "0")}`],
  );
});
afterAll(() => database.close());

async function pages(table: Table, groups: readonly string[], order: Order, people = false) {
  const found: { items: Item[]; bytes: number }[] = [];
  const tokens = pageTokens(database, 3_600);
  let token: string | undefined;
  do {
    const page = await listPage(database, table, tokens, {
      list: "test.list",
      caller: "tester",
      query: { page_size: 200, ...(token !== undefined && { page_token: token }) },
      order,
      visibility: { groups, rootLevel: people ? () => "true" : undefined },
    });
    found.push({ items: page.items, bytes: JSON.stringify(page.items).length });
    token = page.nextPageToken;
  } while (token !== undefined);
  return found;
}

const ORDERS: readonly Order[] = [
  { field: "uid", descending: false },
  { field: "uid", descending: true },
  { field: "name", descending: false },
];

describe.each([
  ["identities", identitiesTable, FOLDERS, true, 53],
  ["repos", reposTable, [ROOT], false, 61],
] as const)("%s", (_, table, groups, people, total) => {
  test.each(ORDERS)("large records come in pages of four megabytes, each once: %j", async (order) => {
    const found = await pages(table, groups, order, people);
    expect(Math.max(...found.map(({ bytes }) => bytes))).toBeLessThan(PAGE_BYTES + LARGE + 10_000);
    expect(found.length).toBeLessThanOrEqual(Math.ceil((total * LARGE) / PAGE_BYTES) + 2);
    const uids = found.flatMap(({ items }) => items.map(({ uid }) => uid));
    expect(new Set(uids).size).toBe(total);
    expect(uids).toHaveLength(total);
    if (order.field === "uid")
      expect(uids).toEqual(order.descending ? uids.toSorted().toReversed() : uids.toSorted());
  });
});
