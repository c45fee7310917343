import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { World, type Person, type Wire } from "../../conformance/world";
import { personUid } from "../store/uids";
import { freshEntries, type Fresh } from "../audit/testing";
import type { Queries } from "../store/database";
import { passwordsCost } from "../../testing/provider";
import { claimSignIn } from "./sessions";
import { STEP_MS } from "./steps";
import { Browser, openSignIn, signUp, type SignedIn } from "./testing";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";
const CLIENT_SECRET = "the secret of automation";

let world: World;
let ada: Person;
let session: SignedIn;
let organization: string;
let fresh: Fresh;
let base: string;

beforeAll(async () => {
  world = await World.open({ SIGN_UP: "open", AUTOMATION_CLIENT_SECRET: CLIENT_SECRET });
  base = world.service.url;
  session = await signUp(base, { email: EMAIL, password: PASSWORD, name: "Ada" });
  const { sub = "" } = decodeJwt(session.accessToken);
  ada = { uid: personUid(world.service.config.issuer, sub), token: session.accessToken };
  organization = await world.create(ada, "groups", "", { name: "acme" });
  fresh = freshEntries(world, ada, organization);
  await fresh();
});
afterAll(() => world.service.stop());

const record = () => ({ kind: "identities", uid: ada.uid, name: "Ada", group: organization });

/** Signs in with the form, as far as its answer. */
async function submit(email: string, password: string) {
  const { browser, page } = await openSignIn(base);
  return browser.submit(page.url, { email, password });
}

/** Actions and reasons in the log of the service, which belongs to no organization. */
async function ofNobody(): Promise<Wire[]> {
  const rows = await world.service.database.query<{ entry: string }>(
    "select entry from audit_entries where chain = '' order by sequence",
  );
  return rows.map(({ entry }) => JSON.parse(entry) as Wire);
}

test("a sign-in is an entry by the person, from their address", async () => {
  expect((await submit(EMAIL, PASSWORD)).status).toBe(303);
  const entries = await fresh();
  expect(entries).toMatchObject([
    {
      action: "signIn.password",
      outcome: "OUTCOME_DONE",
      actor: { uid: ada.uid, name: "Ada", issuer: world.service.config.issuer },
      record: record(),
      request: { address: "127.0.0.1", transport: "http" },
    },
  ]);
});

test("a wrong password is an entry about the person, by nobody", async () => {
  await submit(EMAIL, "not this one");
  const [entry, ...none] = await fresh();
  expect(none).toEqual([]);
  expect(entry).toMatchObject({
    action: "signIn.password",
    outcome: "OUTCOME_REFUSED",
    reason: "WRONG_PASSWORD",
    record: record(),
  });
  expect(entry).not.toHaveProperty("actor");
  expect(JSON.stringify(entry)).not.toContain("not this one");
});

test("an email that nobody has is in the log of the service alone, without the email", async () => {
  const before = (await ofNobody()).length;
  await submit("nobody-here@example.com", "not this one");
  expect(await fresh()).toEqual([]);
  const entries = (await ofNobody()).slice(before);
  expect(entries).toMatchObject([{ action: "signIn.password", reason: "NO_ACCOUNT" }]);
  expect(JSON.stringify(entries)).not.toMatch(/nobody-here|not this one/);
});

test("a wrong password and an unknown email take whole steps after they were checked", async () => {
  passwordsCost("little");
  for (const email of [EMAIL, "nobody-there@example.com"]) {
    const { browser, page } = await openSignIn(base);
    const begin = performance.now();
    await browser.submit(page.url, { email, password: "not this one" });
    expect(performance.now() - begin).toBeGreaterThan(STEP_MS);
  }
  passwordsCost("all");
  await fresh();
});

test("a sign-in locks one row, whether somebody has the email or not", async () => {
  const { page } = await openSignIn(base);
  const uid = page.url.split("/").at(-1) ?? "";
  const { database } = world.service;
  const locked = async (subject: string | undefined) => {
    const rows: number[] = [];
    const query: Queries["query"] = async (text, values) => {
      const found = await database.query(text, values);
      rows.push(found.length);
      return found as never;
    };
    await claimSignIn({ ...database, query }, uid, subject);
    return rows;
  };
  const known = await locked(decodeJwt(session.accessToken).sub);
  expect(await locked(undefined)).toEqual(known);
  expect(known).toEqual([0, 1, 0]);
});

test("a new password is an entry, and a wrong old one another", async () => {
  const { browser } = session;
  const page = `${base}/oidc/account/password`;
  const change = (current: string, next: string) =>
    browser.submit(page, { "current-password": current, "new-password": next });
  await change("not this one", "another good password");
  await change(PASSWORD, "another good password");
  const entries = await fresh();
  expect(entries).toMatchObject([
    { action: "password.change", outcome: "OUTCOME_REFUSED", reason: "WRONG_PASSWORD", record: record() },
    { action: "password.change", outcome: "OUTCOME_DONE", actor: { uid: ada.uid }, record: record() },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/another good password|not this one/);
});

test("a sign-up belongs to no organization; a sign-out is an entry of each", async () => {
  const before = (await ofNobody()).length;
  await signUp(base, { email: "bob@example.com", password: PASSWORD, name: "Bob" });
  expect((await ofNobody()).slice(before)).toMatchObject([{ action: "signUp" }]);
  const query = new URLSearchParams({
    id_token_hint: session.idToken,
    post_logout_redirect_uri: `${base}/`,
  });
  await session.browser.get(`${base}/oidc/session/end?${query}`);
  // It is logged after its answer.
  const entries = await vi.waitFor(async () => {
    const found = await fresh();
    expect(found).not.toEqual([]);
    return found;
  });
  expect(entries).toMatchObject([{ action: "signOut", actor: { uid: ada.uid }, record: record() }]);
});

test("a token of the client automation is an entry in the log of the service if no organization knows it", async () => {
  const before = (await ofNobody()).length;
  const answer = await new Browser().request(`${base}/oidc/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`automation:${CLIENT_SECRET}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  expect(answer.status).toBe(200);
  await vi.waitFor(async () =>
    expect((await ofNobody()).slice(before)).toMatchObject([{ action: "signIn.client" }]),
  );
  expect(JSON.stringify(await ofNobody())).not.toContain(CLIENT_SECRET);
});
