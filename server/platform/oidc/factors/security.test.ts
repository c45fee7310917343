import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { createLog } from "../../../log";
import { movableClock, startProvider, type Running } from "../../../testing/provider";
import { Browser, openSignIn, refresh, signIn, signUp } from "../testing";
import { resetFactors } from "./reset";
import {
  addApp,
  addPasskey,
  askedIn,
  codeOf,
  codesIn,
  confirmed,
  Passkey,
  passPassword,
  secretIn,
} from "./testing";

const PASSWORD = "correct horse battery";
const clock = movableClock();
let people = 0;
const person = () => ({ email: `security-${++people}@example.com`, password: PASSWORD });

let service: Running;
let at: string;
beforeAll(async () => {
  service = await startProvider({ host: "localhost", now: clock.now });
  at = `${service.url}/oidc/account/security`;
});
beforeEach(() => service.database.query("delete from sign_in_failures"));
afterAll(() => service.close());

const actions = async (): Promise<string[]> => {
  const rows = await service.database.query<{ action: string; outcome: string }>(
    "select action, outcome from audit_entries order by sequence desc limit 3",
  );
  return rows.map(({ action, outcome }) => `${action} ${outcome}`);
};

const factorIn = (body: string, name: string): string =>
  new RegExp(`<strong>${name}</strong>[\\s\\S]*?factor/([0-9a-f]{40})`).exec(body)?.[1] ?? "";

test("the page needs a session, of this provider", async () => {
  const answer = await new Browser().get(at);
  expect([answer.status, answer.body]).toEqual([401, expect.stringContaining("Sign in first")]);
  const { browser } = await signUp(service.url, person());
  const page = await browser.get(at);
  expect(page.body).toContain("You sign in with your password alone.");
  expect((await browser.get(`${at}/nothing`)).status).toBe(404);
  expect((await browser.get(`${at}/confirm/nothing`)).status).toBe(404);
});

test("nothing changes before the password or a factor is shown again, nor ten minutes after it", async () => {
  const who = person();
  const { browser } = await signUp(service.url, who);
  const { secret } = await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  const uid = factorIn((await browser.get(at)).body, "Phone");
  clock.forward(11 * 60);
  for (const [path, form] of [
    ["add-app", { name: "x", code: "000000" }],
    ["add-passkey", { name: "x", credential: "{}" }],
    ["recovery-codes", {}],
    [`factor/${uid}`, { name: "Renamed" }],
    [`factor/${uid}`, { remove: "1" }],
  ] as const) {
    const asked = { status: 303, location: `${at}/confirm/${path}` };
    expect(await browser.get(`${at}/${path}`)).toMatchObject(asked);
    expect(await browser.submit(`${at}/${path}`, form)).toMatchObject(asked);
  }
  const confirm = `${at}/confirm/factor/${uid}`;
  expect((await browser.submit(confirm, { password: "" })).body).toContain("Enter your password.");
  expect((await browser.submit(confirm, { password: "wrong" })).body).toContain("Incorrect password.");
  expect((await actions())[0]).toBe("secondFactor.confirm OUTCOME_REFUSED");
  expect((await browser.submit(confirm, { code: "000000" })).body).toContain("Incorrect code.");
  expect((await browser.get(`${at}/factor/${uid}`)).status).toBe(303);
  const code = codeOf(secret, clock.now());
  expect((await browser.submit(confirm, { code })).location).toBe(`${at}/factor/${uid}`);
  // Verification in this session, not in another one.
  expect((await browser.get(`${at}/factor/${uid}`)).status).toBe(200);
  clock.forward(60);
  const other = await passPassword(service.url, who);
  await other.enter(await other.browser.submit(other.answer.url, { code: codeOf(secret, clock.now()) }));
  expect((await other.browser.get(`${at}/factor/${uid}`)).status).toBe(303);
});

test("a passkey confirms as well, but not another account's", async () => {
  const [passkey, stranger] = [1, 2].map(() => new Passkey(new URL(at).origin)) as [Passkey, Passkey];
  const { browser } = await signUp(service.url, person());
  await addPasskey(service.url, browser, { password: PASSWORD, passkey });
  const bob = await signUp(service.url, person());
  await addPasskey(service.url, bob.browser, { password: PASSWORD, passkey: stranger });
  clock.forward(11 * 60);
  const page = await browser.get(`${at}/confirm/add-app`);
  const refused = await browser.submit(page.url, { credential: stranger.sign(askedIn(page.body)) });
  expect(refused.body).toContain("This passkey didn&#39;t work here.");
  const credential = passkey.sign(askedIn(refused.body));
  expect((await browser.submit(page.url, { credential })).location).toBe(`${at}/add-app`);
});

test("factors are named, renamed and removed, and the last one takes the recovery codes along", async () => {
  const who = person();
  const { browser } = await signUp(service.url, who);
  await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  const { codes } = await addApp(service.url, browser, {
    password: PASSWORD,
    at: clock.now(),
    name: "Tablet",
  });
  expect(codes).toEqual([]);
  const overview = (await browser.get(at)).body;
  const [phone, tablet] = [factorIn(overview, "Phone"), factorIn(overview, "Tablet")];
  const unnamed = await browser.submit(`${at}/factor/${phone}`, { name: "x".repeat(61) });
  expect(unnamed.body).toContain("Use at most 60 characters.");
  expect((await browser.submit(`${at}/factor/${phone}`, { name: "Old phone" })).location).toBe(at);
  expect((await browser.get(at)).body).toContain("<strong>Old phone</strong>");
  await browser.submit(`${at}/factor/${phone}`, { remove: "1" });
  expect((await browser.get(`${at}/factor/${phone}`)).status).toBe(404);
  await browser.submit(`${at}/factor/${tablet}`, { remove: "1" });
  expect(await actions()).toEqual([
    "secondFactor.remove OUTCOME_DONE",
    "secondFactor.remove OUTCOME_DONE",
    "secondFactor.rename OUTCOME_DONE",
  ]);
  const { idToken, accessToken } = await signIn(service.url, who);
  expect(decodeJwt(idToken)["amr"]).toEqual(["pwd"]);
  const left = await service.database.query("select 1 from recovery_codes where subject = $1", [
    decodeJwt(accessToken).sub,
  ]);
  expect(left).toEqual([]);
  expect((await browser.get(`${at}/recovery-codes`)).location).toBe(at);
});

test("another account's factors cannot be seen, named or removed", async () => {
  const ada = await signUp(service.url, person());
  await addApp(service.url, ada.browser, { password: PASSWORD, at: clock.now() });
  const uid = factorIn((await ada.browser.get(at)).body, "Phone");
  const bob = await signUp(service.url, person());
  await confirmed(bob.browser, `${at}/add-app`, PASSWORD);
  expect((await bob.browser.get(`${at}/factor/${uid}`)).status).toBe(404);
  expect((await bob.browser.submit(`${at}/factor/${uid}`, { remove: "1" })).status).toBe(404);
  expect(factorIn((await ada.browser.get(at)).body, "Phone")).toBe(uid);
});

test("an account has ten factors at most", async () => {
  const { browser } = await signUp(service.url, person());
  for (let turn = 1; turn <= 10; turn += 1)
    await addApp(service.url, browser, { password: PASSWORD, at: clock.now(), name: `Phone ${turn}` });
  const page = await confirmed(browser, `${at}/add-app`, PASSWORD);
  const secret = secretIn(page.body);
  const refused = await browser.submit(page.url, { name: "One more", code: codeOf(secret, clock.now()) });
  expect(refused.body).toContain("You have 10 second factors. Remove one first.");
});

test("a new password leaves the second factor where it is", async () => {
  const who = person();
  const { browser } = await signUp(service.url, who);
  const { secret } = await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  const next = "another good password";
  await browser.submit(`${service.url}/oidc/account/password`, {
    "current-password": PASSWORD,
    "new-password": next,
  });
  clock.forward(60);
  const { answer, enter, browser: other } = await passPassword(service.url, { ...who, password: next });
  expect(answer.body).toContain("Confirm it&#39;s you");
  const { idToken } = await enter(await other.submit(answer.url, { code: codeOf(secret, clock.now()) }));
  expect(decodeJwt(idToken)["amr"]).toContain("mfa");
});

test("an operator removes all factors of an account, which ends its sessions and is in the log", async () => {
  const who = person();
  const { browser, refreshToken } = await signUp(service.url, who);
  await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  const { database, config } = service;
  const recorder = { database, config, log: createLog("silent") };
  const arrival = { requestId: "r", address: "", transport: "command" } as const;
  expect(await resetFactors(recorder, "nobody@example.com", arrival)).toBeUndefined();
  expect(await resetFactors(recorder, who.email.toUpperCase(), arrival)).toBe(1);
  expect((await actions())[0]).toBe("secondFactor.reset OUTCOME_DONE");
  expect((await refresh(service.url, refreshToken)).status).toBe(400);
  expect((await openSignIn(service.url, {}, browser)).page.body).toContain("<h1>Sign in</h1>");
  await signIn(service.url, who);
  expect(codesIn((await browser.get(at)).body)).toEqual([]);
});
