import type { Adapter } from "oidc-provider";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../store/database";
import { openMigrated } from "../../testing/database";
import { adapterFactory } from "./adapter";
import { endSessions } from "./sessions";
import { movableClock } from "../../testing/provider";

const clock = movableClock();
let database: Database;
let adapter: (kind: string) => Adapter;

beforeAll(async () => {
  database = await openMigrated();
  adapter = adapterFactory({
    database,
    now: clock.now,
    pruned: async () => {},
    ending: (work) => work(database),
    used: () => new Error("used"),
    signingIn: () => undefined,
    gone: () => new Error("gone"),
  });
});
afterAll(() => database.close());

const consumed = async (kind: string, id: string): Promise<boolean> =>
  (await adapter(kind).find(id))?.consumed !== undefined;

test("a code is consumed by one request, even when two found it unused", async () => {
  await adapter("AuthorizationCode").upsert("code", { grantId: "g" }, 60);
  await adapter("AuthorizationCode").consume("code");
  await expect(adapter("AuthorizationCode").consume("code")).rejects.toThrow("used");
  expect(await consumed("AuthorizationCode", "code")).toBe(true);
});

test("a refresh token counts as used ten seconds after its first use", async () => {
  await adapter("RefreshToken").upsert("token", { grantId: "g" }, 3600);
  await adapter("RefreshToken").consume("token");
  clock.forward(9);
  expect(await consumed("RefreshToken", "token")).toBe(false);
  await adapter("RefreshToken").consume("token");
  clock.forward(1);
  expect(await consumed("RefreshToken", "token")).toBe(true);
});

test("a session is found by its uid, and everything of a grant goes with it", async () => {
  await adapter("Session").upsert("cookie", { uid: "uid", accountId: "ada" }, 60);
  expect(await adapter("Session").findByUid("uid")).toEqual({ uid: "uid", accountId: "ada" });
  await adapter("Session").destroy("cookie");
  expect(await adapter("Session").findByUid("uid")).toBeUndefined();
  await adapter("RefreshToken").upsert("a", { grantId: "one" }, 60);
  await adapter("RefreshToken").upsert("b", { grantId: "two" }, 60);
  await adapter("RefreshToken").revokeByGrantId("one");
  expect(await adapter("RefreshToken").find("a")).toBeUndefined();
  expect(await adapter("RefreshToken").find("b")).toEqual({ grantId: "two" });
});

test("a session that has ended is not brought back by a request that loaded it before", async () => {
  const sessions = adapter("Session");
  for (const end of [() => sessions.destroy("held"), () => endSessions(database, "eve")]) {
    await database.query("delete from provider_records where id in ('held', 'other')");
    for (const id of ["held", "other"])
      await sessions.upsert(id, { uid: `of ${id}`, accountId: id === "held" ? "eve" : "bob" }, 60);
    const loaded = await sessions.find("held");
    await end();
    await sessions.upsert("held", loaded ?? {}, 60);
    expect(await sessions.find("held")).toBeUndefined();
    expect(await sessions.findByUid("of held")).toBeUndefined();
    expect(await sessions.find("other")).toEqual({ uid: "of other", accountId: "bob" });
  }
  clock.forward(11 * 60);
  await sessions.upsert("next", {}, 60);
  expect(await database.query("select id from provider_records where id = 'held'")).toEqual([]);
});

test("what a client sends survives as it is, and no id of theirs reaches the database", async () => {
  const params = { state: "\u0000 \ud800 😀" };
  await adapter("Interaction").upsert("odd", { params }, 60);
  expect(await adapter("Interaction").find("odd")).toEqual({ params });
  expect(await adapter("Interaction").find("\u0000")).toBeUndefined();
});

test("expired records are pruned in time, others stay", async () => {
  await adapter("Session").upsert("short", { uid: "1" }, 60);
  await adapter("Session").upsert("long", { uid: "2" }, 3600);
  clock.forward(11 * 60);
  await adapter("Session").upsert("next", { uid: "3" }, 60);
  const rows = await database.query("select id from provider_records where kind = 'Session' order by id");
  expect(rows).toEqual([{ id: "long" }, { id: "next" }]);
});

test("a flood of them is pruned with the next writes, not a thousand every ten minutes", async () => {
  await database.query(
    `insert into provider_records (kind, id, payload, expires_at)
     select 'Interaction', 'flood-' || n, '{}', $1 from generate_series(1, 2500) as n`,
    [clock.now()],
  );
  clock.forward(11 * 60);
  for (const id of ["one", "two", "three"]) await adapter("Session").upsert(id, {}, 60);
  const rows = await database.query("select id from provider_records where id like 'flood-%'");
  expect(rows).toEqual([]);
});
