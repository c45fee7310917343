import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ancestorsOf, isBelow, isWithin, parentOf } from "platform-contract/aip";

import type { Caller } from "../../access/caller";
import { TestStore, type Wire } from "../../../testing/store";
import { newChildUid } from "../uids";

let store: TestStore;
let organization: string;
let owner: Caller;
/** Has the viewer role at two distant folders, and again below one of them. */
let scattered: Caller;
let places: string[];
/** Has it at so many folders that they are not looked up one by one. */
let widely: Caller;
let leaves: string[];
let all: Record<string, Wire[]>;

const COLLECTIONS = ["groups", "identities", "roles", "roleBindings"] as const;
const KEYS: Record<string, (item: Wire) => string> = {
  uid: ({ uid }) => uid,
  // Without case.
  name: ({ name, identity }) => (name ?? identity.name).toLowerCase(),
  created_at: ({ createTime }) => createTime,
  updated_at: ({ updateTime }) => updateTime,
  last_seen_time: ({ lastSeenTime }) => lastSeenTime ?? "1970",
};

beforeAll(async () => {
  store = await TestStore.open();
  ({ uid: organization, owner } = await store.organization("listed"));
  await store.organization("unseen");
  const folders: string[] = [];
  for (let index = 0; index < 18; index++) {
    const parent = folders[Math.floor(index / 3) - 1] ?? organization;
    const body = { name: `${index % 2 === 0 ? "Folder" : "folder"} ${index % 7}` };
    folders.push((await store.call(owner, "groups.create", { parent, body }))["uid"]);
  }
  for (const [index, parent] of folders.entries()) {
    const claimMatch = { issuer: "https://ci.example", subject: `s${index}` };
    const body = { name: `bot ${index % 5}`, claimMatch };
    const { uid } = await store.call(owner, "identities.create", { parent, body });
    const capabilities = ["groups.list"];
    await store.call(owner, "roles.create", { parent, body: { name: `role ${index % 3}`, capabilities } });
    if (index % 2 === 0) await store.member(`person ${index}`, "viewer", [parent], owner);
    await store.database.query("update identities set last_seen_at = $2 where uid = $1", [
      uid,
      index % 4 === 0 ? null : new Date(Date.UTC(2026, 0, 1 + (index % 6))),
    ]);
  }
  // Equal times, so that there are ties everywhere.
  for (const table of ["groups", "identities", "roles", "role_bindings"])
    await store.database.query(
      `update ${table} set created_at = timestamptz 'epoch' + (ascii(right(uid, 1)) || ' days')::interval`,
    );
  places = [folders[3], folders[8]].map(String);
  const below = folders.find((uid) => isBelow(uid, String(places[0])));
  scattered = await store.member("scattered", "viewer", [...places, String(below)], owner);
  leaves = folders.slice(5);
  widely = await store.member("widely", "viewer", leaves, owner);
  all = {};
  for (const collection of COLLECTIONS) all[collection] = await walk(owner, collection, { page_size: 200 });
});
afterAll(() => store.database.close());

/** Reads every row, page by page, and checks the total. */
async function walk(caller: Caller, collection: string, query: Record<string, unknown>): Promise<Wire[]> {
  const items: Wire[] = [];
  let token: string | undefined;
  let total: string | undefined;
  do {
    const page = await store.call(caller, `${collection}.list`, { query: { ...query, page_token: token } });
    items.push(...page[collection]);
    total ??= page["totalCount"];
    expect(page["totalCount"]).toBe(total);
    token = page["nextPageToken"];
  } while (token);
  expect(total).toBe(String(items.length));
  return items;
}

const uids = (items: readonly Wire[] | undefined) => (items ?? []).map(({ uid }) => uid as string);

function sorted(items: readonly Wire[], order: string): string[] {
  const [field = "", direction] = order.split(" ");
  const key = KEYS[field] ?? KEYS["uid"]!;
  const sign = direction === "desc" ? -1 : 1;
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const tie = field === "uid" ? sign : 1;
  return uids(items.toSorted((a, b) => sign * compare(key(a), key(b)) || tie * compare(a["uid"], b["uid"])));
}

const ORDERS = Object.keys(KEYS).flatMap((field) => [field, `${field} desc`]);

describe.each(COLLECTIONS)("%s", (collection) => {
  const orders = ORDERS.filter((order) => collection === "identities" || !order.startsWith("last_seen"));
  const inGroup = collection === "groups" ? isWithin : isBelow;

  test.each(orders)("pages keep the order %s for one group and for many", async (order) => {
    const expected = sorted(all[collection] ?? [], order);
    expect(uids(await walk(owner, collection, { order_by: order, page_size: 7 }))).toEqual(expected);

    for (const [caller, groups] of [[scattered, places] as const, [widely, leaves] as const]) {
      const seen = (all[collection] ?? []).filter(({ uid }) => groups.some((group) => inGroup(uid, group)));
      const found = await walk(caller, collection, { order_by: order, page_size: 4 });
      // The list includes rows at root level: built-in roles, and people, who have a test of their own.
      const rooted =
        collection === "roles" ? (all[collection] ?? []).filter(({ uid }) => !uid.includes("/")) : [];
      const comparable = collection === "identities" ? found.filter(({ uid }) => uid.includes("/")) : found;
      expect(uids(comparable)).toEqual(sorted([...seen, ...rooted], order));
    }
  });

  test("skip counts from the start or from the cursor, and is echoed", async () => {
    const expected = sorted(all[collection] ?? [], "name desc");
    const query = { order_by: "name desc", page_size: 3 };
    const first = await store.call(owner, `${collection}.list`, { query: { ...query, skip: 4 } });
    expect([uids(first[collection]), first["skipped"]]).toEqual([expected.slice(4, 7), 4]);
    const next = await store.call(owner, `${collection}.list`, {
      query: { ...query, skip: 2, page_token: first["nextPageToken"], page_size: 5 },
    });
    expect([uids(next[collection]), next["skipped"]]).toEqual([expected.slice(9, 14), 2]);
    const beyond = await store.call(owner, `${collection}.list`, { query: { skip: 10_000 } });
    expect(beyond).toEqual({ [collection]: [], totalCount: String(expected.length), skipped: 10_000 });
  });

  test("scopes narrow what may be seen, and combine", async () => {
    const items = all[collection] ?? [];
    const [place = ""] = places;
    const lists = async (caller: Caller, query: Record<string, unknown>) =>
      uids(await walk(caller, collection, { ...query, page_size: 5 }));
    const where = (test: (uid: string) => boolean) => uids(items.filter(({ uid }) => test(uid)));

    expect(await lists(owner, { "uidp.descendants_of": place })).toEqual(where((uid) => isBelow(uid, place)));
    expect(await lists(owner, { "uidp.children_of": place })).toEqual(
      where((uid) => parentOf(uid) === place),
    );
    expect(await lists(scattered, { "uidp.descendants_of": organization })).toEqual(
      where((uid) => places.some((one) => inGroup(uid, one))),
    );
    expect(await lists(scattered, { "uidp.children_of": parentOf(place) })).toEqual(
      where((uid) => parentOf(uid) === parentOf(place) && places.some((one) => inGroup(uid, one))),
    );
    const some = where((uid) => uid.includes("/")).filter((_, index) => index % 3 === 0);
    expect(await lists(owner, { "uidp.ids": [...some, `${organization}/${"0".repeat(16)}`] })).toEqual(some);
    expect(await lists(scattered, { "uidp.ids": some, "uidp.descendants_of": place })).toEqual(
      some.filter((uid) => isBelow(uid, place)),
    );
    const leaf = where((uid) => uid.split("/").length > 3).at(-1) ?? "";
    const group = parentOf(leaf);
    const above = collection === "groups" ? (uid: string) => ancestorsOf(group).includes(uid) : undefined;
    const holding = (uid: string) => uid.includes("/") && isWithin(group, parentOf(uid));
    expect(await lists(owner, { "uidp.ancestors_of": group })).toEqual(where(above ?? holding));
    expect(await lists(owner, { "uidp.in_root": true })).toEqual(where((uid) => !uid.includes("/")));
  });

  test("an order is taken in the spelling of the field", async () => {
    const { [collection]: items } = await store.call(owner, `${collection}.list`, {
      query: { order_by: "createTime asc", page_size: 200 },
    });
    expect(uids(items)).toEqual(sorted(all[collection] ?? [], "created_at"));
  });
});

test("ancestors that the caller may not see are left out", async () => {
  const [place = ""] = places;
  const below = (all["groups"] ?? []).find(({ uid }) => isBelow(uid, place))?.["uid"];
  const { groups } = await store.call(scattered, "groups.list", { query: { "uidp.ancestors_of": below } });
  expect(uids(groups)).toEqual(ancestorsOf(below).filter((uid) => isWithin(uid, place)));
});

test("filters by name, relationship, identity, group and role", async () => {
  const named = await walk(scattered, "groups", { name: "folder 3", page_size: 1 });
  expect(uids(named)).toEqual(
    uids(
      all["groups"]?.filter(
        ({ uid, name }) => name === "folder 3" && places.some((one) => isWithin(uid, one)),
      ),
    ),
  );
  const machines = await walk(owner, "identities", {
    relationshipType: "RELATIONSHIP_TYPE_CLAIM_MATCH",
    name: "bot 1",
    page_size: 2,
  });
  expect(uids(machines)).toEqual(uids(all["identities"]?.filter(({ name }) => name === "bot 1")));
  expect(await walk(owner, "identities", { relationshipType: "RELATIONSHIP_TYPE_STATIC" })).toEqual([]);
  // Uids are random, and the last one may be the owner's own, at the organization.
  const binding = all["roleBindings"]?.findLast(({ group }) => group.uid !== organization);
  for (const query of [{ identity: binding?.["identityUid"] }, { group: binding?.["group"].uid }])
    expect(uids(await walk(owner, "roleBindings", query))).toContain(binding?.["uid"]);
  expect(await walk(owner, "roleBindings", { role: binding?.["roleUid"], group: organization })).toEqual([]);
});

test("people are seen where they are bound, and by themselves", async () => {
  const names = async (caller: Caller) =>
    (await walk(caller, "identities", { "uidp.in_root": true, order_by: "name" })).map(({ name }) => name);
  const bound = (all["roleBindings"] ?? []).filter(({ group }) =>
    places.some((one) => isWithin(group.uid, one)),
  );
  const expected = [...new Set(bound.map(({ identity }) => identity.name as string))].toSorted();
  expect(await names(scattered)).toEqual(expected);
  expect(expected).toContain("scattered");
  expect(expected).not.toContain("person 0");
  expect(await names(await store.person("newcomer"))).toEqual(["newcomer"]);
});

test("who holds nothing gets empty lists, not refusals", async () => {
  const nobody = await store.person("newcomer");
  for (const collection of ["groups", "roles", "roleBindings"])
    expect(await store.call(nobody, `${collection}.list`)).toEqual({
      [collection]: [],
      totalCount: "0",
      skipped: 0,
    });
});

test("page_size is 50 when it is 0 or missing, and 200 at most", async () => {
  await store.database.query(
    `insert into groups (uid, parent, name, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'many', now(), now() from generate_series(1, 220) n`,
    [organization],
  );
  const sizeOf = async (page_size?: number) =>
    (await store.call(owner, "groups.list", { query: { page_size, name: "many" } }))["groups"].length;
  expect(await Promise.all([sizeOf(), sizeOf(0), sizeOf(1), sizeOf(201), sizeOf(5000)])).toEqual([
    50, 50, 1, 200, 200,
  ]);
});

test("a uid is no prefix of its neighbours: bytes decide what lies below", async () => {
  const collations = await store.database.query<{ relation: string; attribute: string }>(
    `select c.relname as relation, a.attname as attribute from pg_attribute a
     join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_collation l on l.oid = a.attcollation
     where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and l.collname <> 'C'
       and (a.attname in ('uid', 'parent', 'name') or a.attname like '%\\_uid')
       and c.relname in ('groups', 'identities', 'roles', 'role_bindings', 'identity_issuers')`,
  );
  expect(collations).toEqual([]);
  expect(newChildUid("ab") < "ab0").toBe(true);
});
