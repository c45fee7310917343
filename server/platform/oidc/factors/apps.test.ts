import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { movableClock, startProvider, type Running } from "../../../testing/provider";
import { Browser, openSignIn, refresh, signIn, signUp } from "../testing";
import { addApp, codeOf, codesIn, confirmed, passPassword, secretIn } from "./testing";

const PASSWORD = "correct horse battery";
const clock = movableClock();
let people = 0;
const person = () => ({ email: `app-${++people}@example.com`, password: PASSWORD });

let service: Running;
beforeAll(async () => {
  service = await startProvider({ path: "/some/where", now: clock.now, variables: { TRUST_PROXY: "1" } });
});
beforeEach(() => service.database.query("delete from sign_in_failures"));
afterAll(() => service.close());

/** Somebody with an app; the code that confirmed it is used up, and the next one not yet there. */
async function withApp() {
  const who = person();
  const signedIn = await signUp(service.url, who);
  const added = await addApp(service.url, signedIn.browser, { password: PASSWORD, at: clock.now() });
  clock.forward(60);
  return { ...who, ...signedIn, ...added, code: () => codeOf(added.secret, clock.now()) };
}

const act = async (): Promise<string[]> => {
  const rows = await service.database.query<{ action: string; outcome: string }>(
    "select action, outcome from audit_entries order by sequence desc limit 1",
  );
  return rows.flatMap(({ action, outcome }) => [action, outcome]);
};

test("an app is added with a code of it, and then stands between the password and the session", async () => {
  const ada = await withApp();
  expect(ada.codes).toHaveLength(10);
  const { answer, browser, enter } = await passPassword(service.url, ada);
  expect(answer.body).toContain("<h1>Confirm it&#39;s you</h1>");
  expect(answer.body).toContain(`Signing in as ${ada.email}`);
  // The password alone opens nothing, whichever way.
  const other = await passPassword(service.url, ada);
  expect((await other.browser.get(other.request.url)).location).toContain("/interaction/");
  const silent = await openSignIn(service.url, { prompt: "none" }, other.browser);
  expect(silent.page.location).toContain("error=login_required");
  const wrong = await browser.submit(answer.url, { code: "000000" });
  expect(wrong.body).toContain("Incorrect code.");
  expect(await act()).toEqual(["signIn.passwordApp", "OUTCOME_REFUSED"]);
  const short = await browser.submit(answer.url, { code: "12345" });
  expect(short.body).toContain("Enter the six digits that the app shows.");
  const code = ada.code();
  const { accessToken, idToken } = await enter(
    await browser.submit(answer.url, { code: `${code.slice(0, 3)} ${code.slice(3)}` }),
  );
  const passed = { amr: ["pwd", "otp", "mfa"], auth_time: expect.any(Number) as number };
  expect(decodeJwt(idToken)).toMatchObject(passed);
  expect(decodeJwt(accessToken)).toMatchObject(passed);
  expect(await act()).toEqual(["signIn.passwordApp", "OUTCOME_DONE"]);
});

test("the tokens of a password alone say so, and a renewal does not change what they say", async () => {
  const { accessToken, refreshToken } = await signUp(service.url, person());
  expect(decodeJwt(accessToken)["amr"]).toEqual(["pwd"]);
  const { json } = await refresh(service.url, refreshToken);
  const renewed = decodeJwt(String(json["access_token"]));
  expect(renewed["amr"]).toEqual(["pwd"]);
  expect(renewed["auth_time"]).toBe(decodeJwt(accessToken)["auth_time"]);
});

test("a code works once, also for two requests at the same time", async () => {
  const ada = await withApp();
  const code = ada.code();
  const tabs = await Promise.all([1, 2].map(() => passPassword(service.url, ada)));
  const sent = await Promise.all(tabs.map(({ browser, answer }) => browser.submit(answer.url, { code })));
  expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 303]);
  const third = await passPassword(service.url, ada);
  expect((await third.browser.submit(third.answer.url, { code })).body).toContain("Each code works once");
  // Of the step before, which the window would accept.
  const earlier = codeOf(ada.secret, new Date(clock.now().getTime() - 30_000));
  expect((await third.browser.submit(third.answer.url, { code: earlier })).status).toBe(200);
  clock.forward(30);
  expect((await third.browser.submit(third.answer.url, { code: ada.code() })).status).toBe(303);
});

test.each([
  [-60, 200],
  [-30, 303],
  [30, 303],
  [60, 200],
])("a code of %d seconds from now is answered with %d", async (seconds, status) => {
  const ada = await withApp();
  clock.forward(90);
  const { browser, answer } = await passPassword(service.url, ada);
  const code = codeOf(ada.secret, new Date(clock.now().getTime() + seconds * 1_000));
  expect((await browser.submit(answer.url, { code })).status).toBe(status);
});

test("guesses are slowed down, from every address, and the right password does not reset that", async () => {
  const ada = await withApp();
  const guess = async (from: number) => {
    const { browser, answer } = await passPassword(service.url, ada);
    return browser.submit(answer.url, { code: "000000" }, { "x-forwarded-for": `10.0.0.${from}` });
  };
  const statuses: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) statuses.push((await guess(turn)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
  const last = await guess(9);
  expect([last.status, Number(last.headers.get("retry-after"))]).toEqual([429, 1]);
  // Nor does the browser that knows the owner have guesses of its own.
  const { browser, answer } = await passPassword(service.url, ada, ada.browser);
  expect((await browser.submit(answer.url, { code: ada.code() })).status).toBe(429);
  clock.forward(2);
  expect((await browser.submit(answer.url, { code: ada.code() })).status).toBe(303);
});

test("a lost device: each recovery code signs in once, whatever its spelling", async () => {
  const ada = await withApp();
  const [code = "", other = ""] = ada.codes;
  const first = await passPassword(service.url, ada);
  const page = await first.browser.get(first.answer.url.replace("second-factor", "recovery-code"));
  expect(page.body).toContain("<h1>Use a recovery code</h1>");
  const sent = await first.browser.submit(page.url, { code: ` ${code.toLowerCase().replaceAll("-", " ")}` });
  const { idToken } = await first.enter(sent);
  expect(decodeJwt(idToken)["amr"]).toEqual(["pwd", "otp", "mfa"]);
  expect(await act()).toEqual(["signIn.passwordRecovery", "OUTCOME_DONE"]);
  const second = await passPassword(service.url, ada);
  const at = second.answer.url.replace("second-factor", "recovery-code");
  expect((await second.browser.submit(at, { code })).body).toContain("or it was used before");
  expect((await second.browser.submit(at, { code: "" })).body).toContain("Enter one of your recovery codes.");
  // Another person's.
  const bob = await withApp();
  expect((await second.browser.submit(at, { code: bob.codes[0] ?? "" })).status).toBe(200);
  expect((await second.browser.submit(at, { code: other })).status).toBe(303);
  const overview = await ada.browser.get(`${service.url}/oidc/account/security`);
  expect(overview.body).toContain("8 of 10 left");
  const rows = await service.database.query("select hash from recovery_codes");
  expect(JSON.stringify(rows)).not.toContain(code.replaceAll("-", ""));
});

test("new recovery codes end the old ones", async () => {
  const ada = await withApp();
  const page = await confirmed(ada.browser, `${service.url}/oidc/account/security/recovery-codes`, PASSWORD);
  const made = codesIn((await ada.browser.submit(page.url, {})).body);
  expect(made).toHaveLength(10);
  const { browser, answer } = await passPassword(service.url, ada);
  const at = answer.url.replace("second-factor", "recovery-code");
  expect((await browser.submit(at, { code: ada.codes[0] ?? "" })).status).toBe(200);
  expect((await browser.submit(at, { code: made[0] ?? "" })).status).toBe(303);
});

test("a first factor ends the sessions elsewhere, and this one counts as passed", async () => {
  const who = person();
  const here = await signUp(service.url, who);
  const there = await signIn(service.url, who);
  await addApp(service.url, here.browser, { password: PASSWORD, at: clock.now() });
  expect((await refresh(service.url, there.refreshToken)).status).toBe(400);
  const { page } = await openSignIn(service.url, {}, there.browser);
  expect(page.body).toContain("<h1>Sign in</h1>");
  expect((await refresh(service.url, here.refreshToken)).status).toBe(200);
  const again = await openSignIn(service.url, {}, here.browser);
  expect(again.page.location).toMatch(/[?&]code=/);
});

test("a session of the password alone does not last beside a second factor", async () => {
  const ada = await withApp();
  const sessions = await service.database.query<{ id: string; payload: string }>(
    "select id, payload from provider_records where kind = 'Session' and account = $1",
    [decodeJwt(ada.accessToken).sub],
  );
  const payload = JSON.parse(sessions[0]?.payload ?? "{}") as Record<string, unknown>;
  expect(payload["amr"]).toEqual(["pwd", "otp", "mfa"]);
  await service.database.query("update provider_records set payload = $2 where id = $1", [
    sessions[0]?.id,
    JSON.stringify({ ...payload, amr: ["pwd"] }),
  ]);
  const silent = await openSignIn(service.url, { prompt: "none" }, ada.browser);
  expect(silent.page.location).toContain("error=login_required");
  const { page } = await openSignIn(service.url, {}, ada.browser);
  expect(page.body).toContain("<h1>Sign in</h1>");
});

test("without the password before, there is no page for the second factor", async () => {
  const ada = await withApp();
  const { browser, page } = await openSignIn(service.url);
  for (const step of [
    "second-factor",
    "recovery-code",
    "passkey",
    "set-up",
    "add-app",
    "add-passkey",
    "signed-in",
  ]) {
    const at = `${page.url}/${step}`;
    const form = { code: ada.code(), name: "x", credential: "{}" };
    expect([step, (await browser.get(at)).location]).toEqual([step, page.url]);
    expect([step, (await browser.submit(at, form)).location]).toEqual([step, page.url]);
  }
  // The page of another browser's sign-in, and after the password of somebody else.
  const { answer } = await passPassword(service.url, ada);
  expect((await new Browser().submit(answer.url, { code: ada.code() })).status).toBe(400);
  const bob = await withApp();
  const theirs = await passPassword(service.url, bob);
  expect((await theirs.browser.submit(theirs.answer.url, { code: ada.code() })).status).toBe(200);
});

test("after the password there is no adding a factor in place of showing one", async () => {
  const ada = await withApp();
  const { browser, answer, page } = await passPassword(service.url, ada);
  for (const step of ["set-up", "add-app", "add-passkey", "signed-in"]) {
    expect((await browser.get(`${page.url}/${step}`)).location).toBe(answer.url);
    expect((await browser.submit(`${page.url}/${step}`, { name: "x", code: "000000" })).location).toBe(
      answer.url,
    );
  }
});

test("a form of another site changes nothing, wherever it is sent", async () => {
  const ada = await withApp();
  const { browser, answer, page } = await passPassword(service.url, ada);
  const foreign = { origin: "https://evil.example" };
  for (const step of ["second-factor", "recovery-code", "passkey", "add-app", "signed-in"])
    expect((await browser.submit(`${page.url}/${step}`, { code: ada.code() }, foreign)).status).toBe(403);
  expect((await browser.submit(answer.url, { code: ada.code() })).status).toBe(303);
  const at = `${service.url}/oidc/account/security`;
  for (const path of ["/confirm/add-app", "/add-app", "/add-passkey", "/recovery-codes"])
    expect((await ada.browser.submit(`${at}${path}`, { password: PASSWORD }, foreign)).status).toBe(403);
});

test("the secret is not in the database, and a reload shows the same one", async () => {
  const { browser } = await signUp(service.url, person());
  const page = await confirmed(browser, `${service.url}/oidc/account/security/add-app`, PASSWORD);
  const secret = secretIn(page.body);
  expect(secret).toHaveLength(32);
  expect(secretIn((await browser.get(page.url)).body)).toBe(secret);
  const wrong = await browser.submit(page.url, { name: "Phone", code: "000000" });
  expect(wrong.body).toContain("Incorrect code.");
  expect(secretIn(wrong.body)).toBe(secret);
  const unnamed = await browser.submit(page.url, { name: " ", code: codeOf(secret, clock.now()) });
  expect(unnamed.body).toContain("Enter a name.");
  await browser.submit(page.url, { name: "<b>Phone</b>", code: codeOf(secret, clock.now()) });
  const overview = await browser.get(`${service.url}/oidc/account/security`);
  expect(overview.body).toContain("&lt;b&gt;Phone&lt;/b&gt;");
  for (const table of ["authenticator_apps", "provider_records"])
    expect(JSON.stringify(await service.database.query(`select * from ${table}`))).not.toContain(secret);
});
