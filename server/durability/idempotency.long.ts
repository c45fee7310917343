import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../platform/access/caller";
import type { Database } from "../platform/store/database";
import { openPostgres } from "../platform/store/postgres";
import { ownPostgres, type OwnPostgres } from "../testing/postgres";
import { TestStore, type Wire } from "../testing/store";

let server: OwnPostgres;
const open: Database[] = [];
/** Two processes on one database: each with its own connections and handlers. */
let processes: readonly [TestStore, TestStore];
let parent: string;
let owner: Caller;

beforeAll(async () => {
  server = await ownPostgres();
  const store = async () => {
    const database = await openPostgres(server.url);
    open.push(database);
    return TestStore.open({}, database);
  };
  processes = [await store(), await store()];
  ({ uid: parent, owner } = await processes[0].organization("acme"));
});
afterAll(async () => {
  for (const database of open) await database.close();
  await server.stop();
});

const create = (store: TestStore, idempotencyKey: string, name: string): Promise<Wire> =>
  store.handlers.get("groups.create")!({
    caller: owner,
    path: { uid: "", parent },
    query: {},
    body: { name },
    unread: [],
    idempotencyKey,
  }) as Promise<Wire>;

test("two processes answer one key once, at the same time and one after the other", async () => {
  const [one, two] = processes;
  for (let round = 0; round < 50; round += 1) {
    const [key, name] = [randomUUID(), `round ${round}`];
    // oxlint-disable-next-line no-await-in-loop -- one round after the other
    const answers = await Promise.all([one, two, one, two].map((store) => create(store, key, name)));
    // oxlint-disable-next-line no-await-in-loop
    answers.push(await create(two, key, name));
    expect(new Set(answers.map(({ uid }) => uid)).size).toBe(1);
  }
  const [found] = await one.database.query("select count(*) as n from groups where parent = $1", [parent]);
  expect(found).toEqual({ n: 50 });
});

test("a key whose first process is refused or dies is free for the second", async () => {
  const [one, two] = processes;
  const key = randomUUID();
  const outcomes = await Promise.allSettled([create(one, key, ""), create(two, key, "a name")]);
  expect(outcomes.map(({ status }) => status)).toContain("rejected");
  expect(await create(one, key, "a name")).toMatchObject({ name: "a name" });
});
