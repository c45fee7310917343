import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, test } from "vitest";

import { World, type Person } from "../../conformance/world";
import { MISSING_ENTRIES } from "../../missing-entries";
import { Browser, openSignIn, tokenRequest } from "../oidc/testing";
import { ROOM } from "../store/room";

const enough = ROOM.bytes;
const SECRET = "a secret for the client";
let world: World;
let owner: Person;
let stranger: Person;
let organization: string;
let missing = 0;
const count = () => void (missing += 1);

beforeAll(async () => {
  subscribe(MISSING_ENTRIES, count);
  world = await World.open({ SIGN_UP: "open", AUTOMATION_CLIENT_SECRET: SECRET });
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "acme" });
  stranger = await world.person("stranger");
});
afterAll(async () => {
  unsubscribe(MISSING_ENTRIES, count);
  await world.service.stop();
});

/** How much the log has; reads need no room. */
const sequences = () =>
  world.service.database.query("select chain, sequence from audit_heads order by chain");

/** Runs something while the disk is full. */
async function whileFull<T>(work: () => Promise<T>): Promise<T> {
  ROOM.bytes = Infinity;
  try {
    return await work();
  } finally {
    ROOM.bytes = enough;
  }
}

test("a refusal that cannot be logged is none: the answer is 503, and it is counted", async () => {
  const before = await sequences();
  missing = 0;
  const denied = () =>
    world.send(stranger.token, "repos.create", { parent: organization, body: { name: "x" } });
  const [first, second] = await whileFull(async () => [await denied(), await denied()]);
  expect([first.status, second.status]).toEqual([503, 503]);
  expect(first.headers["retry-after"]).toBeDefined();
  expect(missing).toBe(2);
  expect(await sequences()).toEqual(before);
  expect((await denied()).status).toBe(403);
  expect(await sequences()).not.toEqual(before);
});

test("nobody signs in without an entry: neither a client nor a person, and a wrong password is not answered", async () => {
  const authorization = `Basic ${Buffer.from(`automation:${SECRET}`).toString("base64")}`;
  const url = world.service.url;
  const signIn = () => tokenRequest(url, { grant_type: "client_credentials" }, { authorization });
  const { browser, page } = await openSignIn(url, {}, new Browser());
  const before = await sequences();
  const [client, person] = await whileFull(async () => [
    await signIn(),
    await browser.submit(page.url, { email: "nobody@example.com", password: "not this one" }),
  ]);
  expect(client).toMatchObject({ status: 503, json: { error: "server_error" } });
  expect(client.headers.get("retry-after")).toBe("1");
  expect(person.status).toBe(503);
  expect(await sequences()).toEqual(before);
  expect((await signIn()).status).toBe(200);
});
