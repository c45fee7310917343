import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../store/database";
import { openMigrated } from "../../testing/database";
import { movableClock, startProvider } from "../../testing/provider";
import { loadKeys, readSigningKeys } from "./keys";
import { authorization, refresh, signUp } from "./testing";

const DAY_S = 24 * 3600;
const MAX_AGE = 90;

let database: Database;
beforeAll(async () => (database = await openMigrated()));
afterAll(() => database.close());

const clock = movableClock();
const load = async (maxAge = MAX_AGE) => {
  const { signing, cookies } = await loadKeys(database, maxAge, clock.now());
  return { kids: signing.map(({ kid }) => kid), cookies };
};

test("the signing key is replaced when it is old, and verifies until nothing that it signed is asked for", async () => {
  const first = await load();
  expect(first.kids).toHaveLength(1);
  clock.forward(89 * DAY_S);
  expect(await load()).toEqual(first);
  clock.forward(2 * DAY_S);
  const second = await load();
  expect(second.kids).toEqual([expect.any(String), first.kids[0]]);
  expect(second.cookies).toEqual(first.cookies);
  expect(await load()).toEqual(second);
  clock.forward(MAX_AGE * DAY_S);
  const third = await load();
  expect(third.kids).toEqual([expect.any(String), second.kids[0]]);
  expect(JSON.stringify(await readSigningKeys(database))).not.toContain("made");
});

test("two processes that rotate at once agree on one key", async () => {
  clock.forward(MAX_AGE * DAY_S);
  const both = await Promise.all([load(), load()]);
  expect(both[0].kids[0]).toBe(both[1].kids[0]);
});

test("a key that another process has made is found by its name", async () => {
  const running = await startProvider({ database, now: clock.now });
  clock.forward((MAX_AGE + 1) * DAY_S);
  const rotated = await startProvider({ database, now: clock.now });
  const { accessToken } = await signUp(rotated.url, { email: "ada@example.com", password: "correct horse" });
  const { kid } = decodeProtectedHeader(accessToken);
  const kids = async (wanted?: string) => (await running.provider.jwks(wanted)).keys.map((key) => key.kid);
  expect(await kids()).not.toContain(kid);
  expect(await kids(kid)).toContain(kid);
  await Promise.all([running.close(), rotated.close()]);
});

test("an age of zero: every key is new, and whoever was signed in is not", async () => {
  const before = await load();
  const service = await startProvider({ database, now: clock.now });
  const person = { email: "grace@example.com", password: "correct horse" };
  const { refreshToken, browser } = await signUp(service.url, person);
  const after = await load(0);
  expect(after.kids).toHaveLength(1);
  expect(before.kids).not.toContain(after.kids[0]);
  expect(after.cookies).not.toEqual(before.cookies);
  await service.restart();
  expect((await refresh(service.url, refreshToken)).status).toBe(400);
  const asked = await browser.get(authorization(service.url).url);
  expect(asked.location).toContain("/oidc/interaction/");
  await service.close();
});
