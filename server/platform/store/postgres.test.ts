import { afterAll, beforeAll, expect, test } from "vitest";

import { isWithin } from "platform-contract/aip";

import type { Caller } from "../access/caller";
import { Failure } from "../../status";
import { startPostgres, type TemporaryPostgres } from "../../testing/postgres";
import { TestStore, type Input } from "../../testing/store";
import { migrate } from "./migrate";
import { openPostgres } from "./postgres";
import { builtInRoleUid } from "../../domains/access/roles.table";

// The same code as everywhere else, on the database that really has concurrent writers.
let server: TemporaryPostgres;
let store: TestStore;
let uid: string;
let owner: Caller;

beforeAll(async () => {
  server = await startPostgres();
  console.log(`PostgreSQL from ${server.from}`);
  const database = await openPostgres(server.url);
  // Two processes starting in parallel.
  await Promise.all([migrate(database), migrate(database)]);
  store = await TestStore.open({}, database);
  ({ uid, owner } = await store.organization("postgres"));
});
afterAll(async () => {
  await store?.database.close();
  await server?.stop();
});

const create = async (id: string, parent: string, body: Input["body"]): Promise<string> =>
  (await store.call(owner, id, { parent, body: body ?? {} }))["uid"];

/** The number of this database's statements that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await store.database.query<{ n: number }>(
    `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.n ?? 0;
}

/** Runs calls in parallel; returns how many succeeded and the names of the failures. */
async function race(...calls: Promise<unknown>[]): Promise<{ won: number; lost: string[] }> {
  const settled = await Promise.allSettled(calls);
  const reasons = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  for (const reason of reasons) if (!(reason instanceof Failure)) throw reason;
  return { won: settled.length - reasons.length, lost: reasons.map((reason) => (reason as Failure).name) };
}

test("values come back as from the embedded database", async () => {
  const at = new Date("2026-01-28T12:54:21.189Z");
  const sql =
    "select $1::int8 as n, $2::int8 as big, $3::timestamptz(3) as at, $4::jsonb as j, $5::text[] as list";
  const [row] = await store.database.query(sql, [1, "9223372036854775807", at, '{"a":[1]}', ["x", 'y,"z']]);
  expect(row).toEqual({ n: 1, big: 9223372036854775807n, at, j: { a: [1] }, list: ["x", 'y,"z'] });
});

test("statements that are sent again are prepared, and sent without a name once the server does not know them", async () => {
  const database = await openPostgres(server.url);
  const ask = () => database.query("select $1::int8 as n", [1]);
  const names = () => database.query("select name from pg_prepared_statements where from_sql = false");
  for (let again = 0; again < 3; again++) await ask();
  expect(await names()).toHaveLength(1);
  // As when a proxy moves the connection to another server process.
  await database.query("deallocate all");
  await expect(ask()).rejects.toThrow("Unavailable: the database has changed");
  for (let again = 0; again < 3; again++) expect(await ask()).toEqual([{ n: 1 }]);
  expect(await names()).toEqual([]);
  await database.close();
});

test("nothing is synced from a repo that is just being deleted", async () => {
  const source = await create("repos.create", uid, { name: "leaving" });
  const { database } = store;
  let refused: Promise<{ violations: unknown[] }> | undefined;
  await database.transaction(async (queries) => {
    await queries.query("delete from repos where uid = $1", [source]);
    refused = store.refusal(owner, "repos.create", {
      parent: uid,
      body: { name: "late", sync_config: { source } },
    });
    await expect.poll(waiting).toBe(1);
  });
  expect((await refused)?.violations).toMatchObject([{ field: "sync_config.source" }]);
});

test("lists page in every order, for one group and for many", async () => {
  const folders: string[] = [];
  for (let index = 0; index < 6; index++) {
    const folder = await create("groups.create", folders[index - 3] ?? uid, { name: `folder ${index % 2}` });
    const claimMatch = { issuer: "https://ci.example", subject: `s${index}` };
    folders.push(folder);
    await create("identities.create", folder, { name: `bot ${index % 3}`, claimMatch });
  }
  const places = folders.slice(0, 2);
  const viewer = await store.member("viewer of two", "viewer", places, owner);
  for (const collection of ["groups", "identities", "roles", "roleBindings"])
    for (const order_by of ["uid", "name desc", "created_at", "updated_at desc"]) {
      const seen: string[] = [];
      let query: Record<string, unknown> = { order_by, page_size: 2 };
      let total = "";
      do {
        const page = await store.call(viewer, `${collection}.list`, { query });
        seen.push(...page[collection].map((item: { uid: string }) => item.uid));
        total = page["totalCount"];
        query = { ...query, page_token: page["nextPageToken"] };
      } while (query["page_token"]);
      expect([new Set(seen).size, String(seen.length)]).toEqual([seen.length, total]);
      const { [collection]: all } = await store.call(viewer, `${collection}.list`, { query: { order_by } });
      expect(seen).toEqual(all.map((item: { uid: string }) => item.uid));
      const inside = seen.filter((one) => one.includes("/"));
      expect(inside.every((one) => places.some((place) => isWithin(one, place)))).toBe(true);
      if (collection !== "roles") expect(inside.length).toBeGreaterThan(1);
    }
});

test("of deletes at once one succeeds, the others find nothing", async () => {
  const folder = await create("groups.create", uid, { name: "going" });
  const attempts = Array.from({ length: 5 }, () => store.call(owner, "groups.delete", { uid: folder }));
  expect(await race(...attempts)).toEqual({ won: 1, lost: Array(4).fill("NOT_FOUND") });
});

test("of equal bindings at once one is made", async () => {
  const body = { identityUid: owner.identities[0], roleUid: builtInRoleUid("editor") };
  const attempts = Array.from({ length: 5 }, () =>
    store.call(owner, "roleBindings.create", { parent: uid, body }),
  );
  expect(await race(...attempts)).toEqual({ won: 1, lost: Array(4).fill("ALREADY_EXISTS") });
});

test("nothing comes into a group that goes, nothing is left without its group", async () => {
  for (let round = 0; round < 8; round++) {
    const folder = await create("groups.create", uid, { name: "contested" });
    const claimMatch = { issuer: "https://ci.example", subject: "s" };
    const identity = store.call(owner, "identities.create", {
      parent: folder,
      body: { name: "bot", claimMatch },
    });
    const { won, lost } = await race(identity, store.call(owner, "groups.delete", { uid: folder }));
    expect(won).toBe(1);
    expect(["NOT_FOUND", "FAILED_PRECONDITION"]).toContain(lost[0]);
  }
});

test("a role is not bound while it goes", async () => {
  for (let round = 0; round < 8; round++) {
    const roleUid = await create("roles.create", uid, { name: "contested", capabilities: ["groups.list"] });
    const body = { identityUid: owner.identities[0], roleUid };
    const bound = store.call(owner, "roleBindings.create", { parent: uid, body });
    const { won, lost } = await race(bound, store.call(owner, "roles.delete", { uid: roleUid }));
    expect(won).toBe(1);
    expect(["INVALID_ARGUMENT", "FAILED_PRECONDITION"]).toContain(lost[0]);
  }
});

test("updates at once all count: none writes over what it did not name", async () => {
  const folder = await create("groups.create", uid, { name: "shared" });
  const update = (body: Input["body"]) =>
    store.call(owner, "groups.update", { uid: folder, body: body ?? {} });
  await Promise.all([update({ name: "renamed" }), update({ description: "described" })]);
  expect(await store.call(owner, "groups.get", { uid: folder })).toMatchObject({
    name: "renamed",
    description: "described",
  });
});

test("somebody signing in for the first time in several tabs is one person", async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => store.person("newcomer")));
  expect(new Set(people.flatMap(({ identities }) => identities)).size).toBe(1);
});
