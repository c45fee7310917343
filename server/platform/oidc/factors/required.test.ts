import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../../store/database";
import { movableClock, startProvider, type Running } from "../../../testing/provider";
import { confirmPending, sweepPending } from "../../../domains/federation/pending-accounts.table";
import { openSignIn, redeem, refresh, signUp, type PageAnswer } from "../testing";
import { addApp, askedIn, codeOf, codesIn, confirmed, Passkey, passPassword, secretIn } from "./testing";

const PASSWORD = "correct horse battery";
const clock = movableClock();
let people = 0;
const person = () => ({ email: `required-${++people}@example.com`, password: PASSWORD });

let service: Running;
let database: Database;
beforeAll(async () => {
  service = await startProvider({ host: "localhost", now: clock.now });
  ({ database } = service);
});
afterAll(() => service.close());

test("who signed in with a password before has to set up a factor, and no renewal avoids it", async () => {
  const ada = person();
  const { browser, refreshToken } = await signUp(service.url, ada);
  // As an operator would do it.
  Object.assign(service.config, { secondFactor: "required" });
  await service.restart();
  expect((await refresh(service.url, refreshToken)).json).toMatchObject({ error: "invalid_grant" });
  const silent = await openSignIn(service.url, { prompt: "none" }, browser);
  expect(silent.page.location).toContain("error=login_required");
  const { page, request } = await openSignIn(service.url, {}, browser);
  expect(page.body).toContain("<h1>Sign in</h1>");
  const setUp = await browser.follow(await browser.submit(page.url, ada), request.redirectUri);
  expect(setUp.body).toContain("<h1>Set up a second factor</h1>");
  // Neither of these is a way around it.
  for (const path of ["second-factor", "recovery-code"]) {
    const refused = await browser.submit(`${page.url}/${path}`, { code: "000000" });
    expect([refused.status, refused.location], path).toEqual([200, undefined]);
  }
  expect((await browser.submit(`${page.url}/signed-in`, {})).location).toContain("/second-factor");
  const shown = await browser.get(`${page.url}/add-app`);
  const code = codeOf(secretIn(shown.body), clock.now());
  const added = await browser.submit(shown.url, { name: "Phone", code });
  expect(codesIn(added.body)).toHaveLength(10);
  const back = await browser.follow(await browser.submit(`${page.url}/signed-in`, {}), request.redirectUri);
  const { idToken, refreshToken: renewed } = await redeem(service.url, browser, back.location, request);
  expect(decodeJwt(idToken)["amr"]).toEqual(["pwd", "otp", "mfa"]);
  expect((await refresh(service.url, renewed)).status).toBe(200);
  const again = await openSignIn(service.url, { prompt: "none" }, browser);
  expect(again.page.location).toMatch(/[?&]code=/);
});

/** Creates an account, as far as the page that sets up a factor. */
async function arrive(more: Readonly<Record<string, string>> = {}) {
  const opened = await openSignIn(service.url, more);
  const { email, password } = person();
  const sent = await opened.browser.submit(`${opened.page.url}/create-account`, {
    email,
    password,
    name: "",
  });
  const answer = await opened.browser.follow(sent, opened.request.redirectUri);
  const enter = async (last: PageAnswer) => {
    const back = await opened.browser.follow(last, opened.request.redirectUri);
    return redeem(service.url, opened.browser, back.location, opened.request);
  };
  return { ...opened, email, answer, enter };
}

test("a newcomer sets up a passkey before the first token", async () => {
  const { browser, page, answer, enter, email } = await arrive();
  expect(answer.body).toContain("<h1>Set up a second factor</h1>");
  const passkey = new Passkey(new URL(service.url).origin);
  const shown = await browser.get(`${page.url}/add-passkey`);
  const added = await browser.submit(shown.url, {
    name: "Laptop",
    credential: passkey.create(askedIn(shown.body)),
  });
  expect(codesIn(added.body)).toHaveLength(10);
  // A second one needs the first.
  expect((await browser.get(`${page.url}/add-app`)).location).toContain("/second-factor");
  const { idToken } = await enter(await browser.submit(`${page.url}/signed-in`, {}));
  expect(decodeJwt(idToken)["amr"]).toEqual(["pwd", "swk", "mfa"]);
  // Once they have one, the password does not end at the page that sets up another.
  const next = await passPassword(service.url, { email, password: PASSWORD });
  expect(next.answer.url).toContain("/second-factor");
});

test("two sign-ins at the same time add one first factor", async () => {
  const { email } = await arrive();
  const tabs = await Promise.all([1, 2].map(() => passPassword(service.url, { email, password: PASSWORD })));
  const sent = await Promise.all(
    tabs.map(async ({ browser, page }) => {
      const shown = await browser.get(`${page.url}/add-app`);
      const code = codeOf(secretIn(shown.body), clock.now());
      return browser.submit(shown.url, { name: "Phone", code });
    }),
  );
  expect(sent.map(({ body }) => codesIn(body).length).toSorted()).toEqual([0, 10]);
});

test("the last factor that works cannot be removed", async () => {
  const { browser, page, enter } = await arrive();
  const shown = await browser.get(`${page.url}/add-app`);
  const code = codeOf(secretIn(shown.body), clock.now());
  await browser.submit(shown.url, { name: "Phone", code });
  await enter(await browser.submit(`${page.url}/signed-in`, {}));
  const at = `${service.url}/oidc/account/security`;
  const overview = await browser.get(at);
  expect(overview.body).toContain("A second factor is required here.");
  const uid = /factor\/([0-9a-f]{40})/.exec(overview.body)?.[1] ?? "";
  await confirmed(browser, `${at}/factor/${uid}`, PASSWORD);
  const refused = await browser.submit(`${at}/factor/${uid}`, { remove: "1" });
  expect(refused.body).toContain("Add another one before you remove this one.");
  await addApp(service.url, browser, { password: PASSWORD, at: clock.now(), name: "Tablet" });
  expect((await browser.submit(`${at}/factor/${uid}`, { remove: "1" })).location).toBe(at);
});

test("someone with an invite sets it up before they have an account, which keeps it", async () => {
  const { browser, page, enter, email } = await arrive({ invite: "1" });
  const shown = await browser.get(`${page.url}/add-app`);
  await browser.submit(shown.url, { name: "Phone", code: codeOf(secretIn(shown.body), clock.now()) });
  const { accessToken } = await enter(await browser.submit(`${page.url}/signed-in`, {}));
  const { sub = "" } = decodeJwt(accessToken);
  // As an invite would have it.
  await database.query(
    "insert into pending_accounts select subject, email, name, password, created_at from accounts where subject = $1",
    [sub],
  );
  await database.query("delete from accounts where subject = $1", [sub]);
  expect(await confirmPending(database, sub)).toBe(true);
  const { answer } = await passPassword(service.url, { email, password: PASSWORD });
  expect(answer.url).toContain("/second-factor");
});

test("factors of people who never got an account go with their sign-up", async () => {
  const count = () => database.query("select 1 from authenticator_apps where subject = 'nobody-yet'");
  await database.query(
    `insert into authenticator_apps (uid, subject, name, sealed, last_step, created_at)
     values ('a', 'nobody-yet', 'Phone', 'x', 0, now())`,
  );
  const insert = (age: string) =>
    database.query(
      `insert into pending_accounts (subject, email, name, password, created_at)
       values ('nobody-yet', 'nobody@example.com', '', 'x', now() - $1::interval)`,
      [age],
    );
  await insert("1 minute");
  await sweepPending(database);
  expect(await count()).toHaveLength(1);
  await database.query("delete from pending_accounts where subject = 'nobody-yet'");
  await insert("61 minutes");
  await sweepPending(database);
  expect(await count()).toHaveLength(0);
});
