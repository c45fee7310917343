import { EncryptJWT } from "jose";
import { createCipheriv, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import type { Caller } from "../../access/caller";
import { TestStore } from "../../../testing/store";
import { secret } from "../keys/secrets";

let store: TestStore;
let caller: Caller;
let token: string;
const query = { order_by: "name", page_size: 2 };

beforeAll(async () => {
  store = await TestStore.open();
  const { uid, owner } = await store.organization("paged");
  caller = owner;
  for (const name of ["aaa", "bbb", "ccc", "ddd"])
    await store.call(owner, "groups.create", { parent: uid, body: { name } });
  token = (await store.call(owner, "groups.list", { query }))["nextPageToken"];
});
afterAll(() => store.database.close());
afterEach(() => {
  vi.useRealTimers();
});

const names = async (more: Record<string, unknown>, on = store) => {
  const { groups } = await on.call(caller, "groups.list", {
    query: { ...query, page_token: token, ...more },
  });
  return groups.map(({ name }: { name: string }) => name);
};

test("a token goes on where its page ended, whatever page_size, also in another process", async () => {
  expect(await names({})).toEqual(["ccc", "ddd"]);
  expect(await names({ page_size: 1 })).toEqual(["ccc"]);
  expect(await names({}, new TestStore(store.database, store.config))).toEqual(["ccc", "ddd"]);
});

test("another order or other filters start again from row one", async () => {
  expect(await names({ order_by: "name desc" })).toEqual(["paged", "ddd"]);
  expect(await names({ name: "bbb" })).toEqual(["bbb"]);
});

test("a token that is too old starts again from row one, silently", async () => {
  vi.useFakeTimers({ now: Date.now() + (store.config.pageTokenTtl - 60) * 1000, toFake: ["Date"] });
  expect(await names({})).toEqual(["ccc", "ddd"]);
  vi.setSystemTime(Date.now() + 120_000);
  expect(await names({})).toEqual(["aaa", "bbb"]);
});

test("a token of an earlier or later version starts again from row one", async () => {
  const key = await secret(store.database, "page-tokens");
  const jwe = await new EncryptJWT({ order: "name asc", filters: "x", value: "bbb", uid: "x", total: "5" })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setAudience("groups.list")
    .setSubject(caller.key)
    .setIssuedAt()
    .encrypt(key);
  expect(await names({ page_token: jwe })).toEqual(["aaa", "bbb"]);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(`groups.list\n${caller.key}`));
  const sealed = Buffer.concat([nonce, cipher.update('{"version":9}'), cipher.final(), cipher.getAuthTag()]);
  expect(await names({ page_token: sealed.toString("base64url") })).toEqual(["aaa", "bbb"]);
});

test("a token of another caller or list, a changed or an invented one is refused", async () => {
  const refused = async (used: Caller, list: string, page_token: string) => {
    const { name, violations } = await store.refusal(used, list, { query: { ...query, page_token } });
    expect([name, violations.map(({ field }) => field)]).toEqual(["INVALID_ARGUMENT", ["page_token"]]);
  };
  await refused(await store.person("somebody else"), "groups.list", token);
  await refused(caller, "identities.list", token);
  const middle = Math.floor(token.length / 2);
  await refused(
    caller,
    "groups.list",
    `${token.slice(0, middle)}${token[middle] === "A" ? "B" : "A"}${token.slice(middle + 1)}`,
  );
  await refused(caller, "groups.list", "x");
  await refused(caller, "groups.list", token.slice(0, -3));
});

test("a token says nothing of the row that it stands at", () => {
  const parts = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
  expect(parts.join("")).not.toContain("bbb");
  expect(parts.join("")).not.toContain(caller.key);
});

test("the total is counted on the first page and carried along", async () => {
  await store.call(caller, "groups.create", { parent: (await top())["uid"], body: { name: "zzz" } });
  const total = async (page_token?: string) =>
    (await store.call(caller, "groups.list", { query: { ...query, page_token } }))["totalCount"];
  expect(await Promise.all([total(token), total()])).toEqual(["5", "6"]);
});

const top = async () =>
  (await store.call(caller, "groups.list", { query: { "uidp.in_root": true } }))["groups"][0];
