import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import { codeName } from "platform-contract/status";

import { World, type Person, type Wire } from "../../conformance/world";
import { authorization, Browser, redeem as tokensFor } from "../../platform/oidc/testing";
import { sweep } from "../../platform/store/maintenance";
import { builtInRoleUid } from "./roles.table";

const VIEWER = builtInRoleUid("viewer");

let world: World;
let owner: Person;
let group: string;

beforeAll(async () => {
  world = await World.open({ SIGN_UP: "closed" });
  owner = await world.person("owner");
  group = await world.create(owner, "groups", "", { name: "organization" });
});
afterAll(() => world.service.stop());

const invite = (body: Wire = {}, parent = group): Promise<Wire> =>
  world.make(owner, "groupInvites.create", { parent, body: { roleUid: VIEWER, ttl: "3600s", ...body } });
const redeem = (token: string, code: unknown, more: Wire = {}) =>
  world.send(token, "groupInvites.register", { body: { code, ...more } });
const expire = (uid: string, days = 0) =>
  world.service.database.query(
    "update group_invites set expires_at = now() - interval '1 second' - $2 * interval '1 day' where uid = $1",
    [uid, days],
  );
const members = async (parent = group): Promise<number> =>
  Number(
    (await world.make(owner, "roleBindings.list", { query: { group: parent, role: VIEWER } }))["totalCount"],
  );

test("a code is shown once, and only its hash is kept", async () => {
  const made = await invite({ email: "ada@example.com" });
  const { uid, code } = made;
  expect(code).toMatch(/^[\w-]{43}$/);
  expect(made["keyId"]).toBe(createHash("sha256").update(code).digest("hex").slice(0, 16));
  expect(made["createdBy"]).toMatchObject({ uid: owner.uid });
  const list = await world.make(owner, "groupInvites.list", { query: { keyId: made["keyId"] } });
  expect(list["groupInvites"].map((row: Wire) => row["uid"])).toEqual([uid]);
  const changed = await world.make(owner, "groupInvites.update", { uid, body: { singleUse: true } });
  await redeem(owner.token, code, { validateOnly: true });
  const tables = await world.service.database.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()",
  );
  const kept: unknown[] = [list, changed, await world.make(owner, "groupInvites.get", { uid })];
  for (const { name } of tables) kept.push(await world.service.database.query(`select * from ${name}`));
  expect(JSON.stringify(kept)).not.toContain(code);
});

test("an invite lives from a minute to 30 days, and longer again from when that is said", async () => {
  for (const ttl of ["59s", "2592001s", "1h", 60, ""]) await expect(invite({ ttl })).rejects.toThrow(/ttl/);
  const before = Date.now();
  const { uid, expirationTime } = await invite({ ttl: "60s" });
  expect(Date.parse(expirationTime)).toBeGreaterThanOrEqual(before + 60_000);
  expect(Date.parse(expirationTime)).toBeLessThanOrEqual(Date.now() + 60_000);
  await expire(uid);
  const revived = await world.make(owner, "groupInvites.update", { uid, body: { ttl: "2592000s" } });
  expect(Date.parse(revived["expirationTime"])).toBeGreaterThanOrEqual(before + 2_592_000_000);
  expect(Date.parse(revived["expirationTime"])).toBeLessThanOrEqual(Date.now() + 2_592_000_000);
  expect(revived).not.toHaveProperty("ttl");
});

test("what one joins is shown first, joining makes a member, and a second time is like the first", async () => {
  const parent = await world.create(owner, "groups", group, { name: "team" });
  const { code, uid } = await invite({ singleUse: true }, parent);
  const guest = await world.person("guest");
  const shown = await world.unchanged(() => redeem(guest.token, code, { validateOnly: true }));
  expect(shown.json).toMatchObject({
    group: parent,
    identity: guest.uid,
    groupName: "team",
    role: { uid: VIEWER, name: "viewer" },
  });
  const [one, two] = await Promise.all([redeem(guest.token, code), redeem(guest.token, code)]);
  expect([one.status, two.status, await members(parent)]).toEqual([200, 200, 1]);
  const third = await world.unchanged(() => redeem(guest.token, code));
  expect([third.status, third.json]).toEqual([200, one.json]);
  expect((await world.send(owner.token, "groupInvites.get", { uid })).status).toBe(404);
});

test("a revoked code cannot be sent a second time, not even by a person who joined with it", async () => {
  const parent = await world.create(owner, "groups", group, { name: "revoked" });
  const { code, uid } = await invite({}, parent);
  const guest = await world.person("joined");
  for (let time = 0; time < 2; time++) expect((await redeem(guest.token, code)).status).toBe(200);
  await world.make(owner, "groupInvites.delete", { uid });
  expect((await world.unchanged(() => redeem(guest.token, code))).status).toBe(404);
  // They keep their role.
  expect(await members(parent)).toBe(1);
});

test("a person who has the role already does not use an invite up", async () => {
  const parent = await world.create(owner, "groups", group, { name: "again" });
  const [old, fresh] = [await world.person("old"), await world.person("fresh")];
  await world.bind(owner, parent, old.uid, "viewer");
  const { code } = await invite({ singleUse: true }, parent);
  expect((await world.unchanged(() => redeem(old.token, code))).status).toBe(200);
  expect((await redeem(fresh.token, code)).status).toBe(200);
});

test("used, expired, revoked, foreign and made-up codes are refused in the same words", async () => {
  const guest = await world.person("late");
  const [used, expired, revoked, foreign] = [
    await invite({ singleUse: true }),
    await invite(),
    await invite(),
    await invite({ email: "somebody@example.com" }),
  ];
  await redeem((await world.person("first")).token, used["code"]);
  await expire(expired["uid"]);
  await world.make(owner, "groupInvites.delete", { uid: revoked["uid"] });
  const words = new Set<string>();
  for (const code of [used, expired, revoked, foreign].map((one) => one["code"]).concat("x", "x".repeat(900)))
    for (const validateOnly of [true, false]) {
      const answer = await world.unchanged(() => redeem(guest.token, code, { validateOnly }));
      expect([answer.status, codeName(answer.json.code)]).toEqual([404, "NOT_FOUND"]);
      words.add(JSON.stringify(answer.json));
    }
  expect(words.size).toBe(1);
  for (const body of [{}, { code: "" }, { code: 7 }, { code: ["x"] }, { code: "x", validateOnly: "yes" }]) {
    const answer = await world.send(guest.token, "groupInvites.register", { body });
    expect(codeName(answer.json.code)).toBe("INVALID_ARGUMENT");
  }
});

test("twenty people with one single-use code are one member more", async () => {
  const parent = await world.create(owner, "groups", group, { name: "crowded" });
  const { code } = await invite({ singleUse: true }, parent);
  const crowd = await Promise.all(Array.from({ length: 20 }, (_, index) => world.person(`crowd ${index}`)));
  const answers = await Promise.all(crowd.map(({ token }) => redeem(token, code)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
  expect(await members(parent)).toBe(1);
});

test("a pending invite keeps its group, an expired one goes with it, and is swept 30 days later", async () => {
  const parent = await world.create(owner, "groups", group, { name: "going" });
  const { uid } = await invite({}, parent);
  const refused = await world.send(owner.token, "groups.delete", { uid: parent });
  expect(refused.json.message).toBe("Precondition failed: cannot delete group with child invites");
  await expire(uid, 29);
  await sweep(world.service.database);
  expect((await world.send(owner.token, "groupInvites.get", { uid })).status).toBe(200);
  await expire(uid, 30);
  await sweep(world.service.database);
  expect((await world.send(owner.token, "groupInvites.get", { uid })).status).toBe(404);
  await expire((await invite({}, parent))["uid"]);
  await world.make(owner, "groups.delete", { uid: parent });
});

/** Fills in the form that a console with an invite opens. */
async function comeWithInvite(email: string, more: Record<string, string> = { invite: "1" }) {
  const { url } = world.service;
  const browser = new Browser();
  const request = authorization(url, more);
  const page = await browser.follow(await browser.get(request.url), request.redirectUri);
  const form = await browser.get(`${page.url}/create-account`);
  const sent = await browser.submit(`${page.url}/create-account`, {
    email,
    name: "New Comer",
    password: "correct horse battery staple",
  });
  const back = await browser.follow(sent, request.redirectUri);
  const tokens = back.location ? await tokensFor(url, browser, back.location, request) : undefined;
  return { page, form, sent, tokens };
}

const accounts = async (): Promise<number> =>
  (await world.service.database.query("select 1 from accounts")).length;

test("where sign-up is closed somebody makes an account with a code, and with nothing else", async () => {
  const before = await accounts();
  const plain = await comeWithInvite("plain@example.com", {});
  expect([plain.form.status, plain.sent.status, plain.page.body.includes("Create an account")]).toEqual([
    404,
    404,
    false,
  ]);
  const { page, tokens } = await comeWithInvite("New@Example.com");
  expect(page.body).toContain("You have an invite");
  const token = tokens?.accessToken ?? "";
  // Until redeemed: no account, no identity, no rights, and no organization of their own.
  const people = () => world.service.database.query("select 1 from identities where parent is null");
  const known = (await people()).length;
  const foreign = await invite({ email: "other@example.com" });
  await world.unchanged(async () => {
    for (const code of ["x", foreign["code"]]) expect((await redeem(token, code)).status).toBe(404);
  });
  const organization = await world.send(token, "groups.create", { body: { name: "mine" } });
  expect(codeName(organization.json.code)).toBe("PERMISSION_DENIED");
  expect((await world.send(token, "groups.list")).json["totalCount"]).toBe("0");
  expect([await accounts(), (await people()).length]).toEqual([before, known]);

  const { code } = await invite({ email: "new@example.com", singleUse: true });
  expect((await redeem(token, code, { validateOnly: true })).json).toMatchObject({ group });
  expect(await accounts()).toBe(before);
  const [one, two] = await Promise.all([redeem(token, code), redeem(token, code)]);
  expect([one.status, two.status, await accounts()]).toEqual([200, 200, before + 1]);
  expect((await world.send(token, "groups.get", { uid: group })).status).toBe(200);
});

test("an account that is there already is not made again, and nothing is used up", async () => {
  const { code } = await invite({ singleUse: true });
  const first = await comeWithInvite("twice@example.com");
  const second = await comeWithInvite("twice@example.com");
  expect((await redeem(first.tokens?.accessToken ?? "", code)).status).toBe(200);
  const next = await invite({ singleUse: true });
  const refused = await redeem(second.tokens?.accessToken ?? "", next["code"]);
  expect(refused.json.message).toContain("twice@example.com already has an account");
  expect((await redeem((await world.person("somebody else")).token, next["code"])).status).toBe(200);
});

test("what nobody redeemed a code for is gone after an hour, the token with it", async () => {
  const { tokens } = await comeWithInvite("slow@example.com");
  const { code } = await invite();
  await world.service.database.query(
    "update pending_accounts set created_at = now() - interval '61 minutes'",
  );
  await sweep(world.service.database);
  const before = await accounts();
  expect((await redeem(tokens?.accessToken ?? "", code)).status).toBe(404);
  expect(await accounts()).toBe(before);
});
