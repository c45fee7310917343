import { afterAll, beforeAll, expect, test, vi } from "vitest";

import type { Queries } from "../store/database";
import type { Recorded } from "../store/recorded";
import { movableClock, startProvider, type Running } from "../../testing/provider";
import { deleteFactors } from "./factors/factors.table";
import {
  addApp,
  addPasskey,
  askedIn,
  codeOf,
  confirmed,
  Passkey,
  passPassword,
  secretIn,
} from "./factors/testing";
import { hashPassword } from "./passwords";
import { endSessions } from "./sessions";
import { Browser, openSignIn, refresh, signUp, type PageAnswer } from "./testing";

const PASSWORD = "correct horse battery";
const clock = movableClock();
let people = 0;

let service: Running;
beforeAll(async () => {
  service = await startProvider({
    host: "localhost",
    now: clock.now,
    variables: { SIGN_UP_LIMIT: "0" },
  });
});
afterAll(() => service.close());

async function somebody() {
  const ada = { email: `in-flight-${++people}@example.com`, password: PASSWORD };
  const signedIn = await signUp(service.url, ada);
  const [row] = await service.database.query<{ subject: string }>(
    "select subject from accounts where email = $1",
    [ada.email],
  );
  return { ada, ...signedIn, subject: row?.subject ?? "" };
}

/** Resets an account as an operator does, and sends a request while that is not yet committed. */
async function during(
  reset: (queries: Recorded) => Promise<unknown>,
  request: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  let sent: Promise<PageAnswer> | undefined;
  await service.database.transaction(async (queries) => {
    await reset(queries as Recorded);
    let answered = false;
    sent = request().finally(() => (answered = true));
    await vi.waitFor(async () => expect(answered || (await isWaiting())).toBe(true), 20_000);
  });
  if (!sent) throw new Error("nothing was sent");
  return sent;
}

const isWaiting = async (): Promise<boolean> =>
  (
    await service.database.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
  ).length > 0;

/** A new password, as `platform-console reset-password` sets it. */
const newPassword = (subject: string) => async (queries: Queries) => {
  await queries.query("update accounts set password = $2 where subject = $1", [
    subject,
    await hashPassword("another horse battery"),
  ]);
  await endSessions(queries, subject);
};

const noFactors = (subject: string) => async (queries: Recorded) => {
  await endSessions(queries, subject);
  await deleteFactors(queries, subject);
};

const sessionsOf = (subject: string) =>
  service.database.query(
    "select kind from provider_records where account = $1 and kind in ('Session', 'RefreshToken', 'SecondStep')",
    [subject],
  );

test("a password that was right when it was sent opens no session once it is replaced", async () => {
  const { ada, subject } = await somebody();
  const { browser, page, request } = await openSignIn(service.url);
  const sent = await during(newPassword(subject), () => browser.submit(page.url, ada));
  const end = await browser.follow(sent, request.redirectUri);
  expect(end.location).toBeUndefined();
  expect(end.body).toContain("Incorrect email or password.");
  expect(await sessionsOf(subject)).toEqual([]);
});

test("a sign-in that has succeeded and not returned yet ends with the sessions", async () => {
  const { ada, subject } = await somebody();
  const { browser, page, request } = await openSignIn(service.url);
  const sent = await browser.submit(page.url, ada);
  expect(sent.location).toContain("/oidc/auth/");
  await service.database.transaction(newPassword(subject));
  const end = await browser.follow(sent, request.redirectUri);
  expect(end).toMatchObject({ status: 400, location: undefined });
  expect(await sessionsOf(subject)).toEqual([]);
});

test("a passkey that an operator removes at the same time opens no session", async () => {
  const { browser: own, subject } = await somebody();
  const passkey = new Passkey(new URL(service.url).origin);
  await addPasskey(service.url, own, { password: PASSWORD, passkey });
  const { browser, page } = await openSignIn(service.url);
  const credential = passkey.sign(askedIn(page.body));
  const sent = await during(noFactors(subject), () => browser.submit(page.url, { credential }));
  expect(sent.body).toContain("This passkey didn&#39;t work here.");
  expect(await sessionsOf(subject)).toEqual([]);
});

test("who is signed out meanwhile changes neither the password nor a factor", async () => {
  const change = (browser: Browser) =>
    browser.submit(`${service.url}/oidc/account/password`, {
      "current-password": PASSWORD,
      "new-password": "the password of a thief",
    });
  const adding = async (browser: Browser) => {
    const page = await confirmed(browser, `${service.url}/oidc/account/security/add-app`, PASSWORD);
    return () => browser.submit(page.url, { name: "Thief", code: codeOf(secretIn(page.body), clock.now()) });
  };
  const one = await somebody();
  const changed = await during(newPassword(one.subject), () => change(one.browser));
  expect(changed.body).toContain("Nothing was changed");
  const { answer } = await passPassword(service.url, { ...one.ada, password: "another horse battery" });
  expect(answer.location).toMatch(/[?&]code=/);

  const two = await somebody();
  const add = await adding(two.browser);
  expect((await during(noFactors(two.subject), add)).body).toContain("Nothing was changed");
  const left = await service.database.query("select 1 from authenticator_apps where subject = $1", [
    two.subject,
  ]);
  expect(left).toEqual([]);
});

test("a session of the password alone, from before a second factor, reaches no page of the account", async () => {
  const { ada, browser, subject } = await somebody();
  const late = await openSignIn(service.url);
  const sent = await late.browser.submit(late.page.url, ada);
  await late.browser.follow(sent, late.request.redirectUri);
  await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  // As one that was written a moment after all others had ended.
  const { browser: other } = await signUp(service.url, { email: `o${ada.email}`, password: PASSWORD });
  await service.database.query(
    `update provider_records set payload = jsonb_set(payload::jsonb, '{accountId}', to_jsonb($1::text))::text, account = $1
     where kind = 'Session' and account = (select subject from accounts where email = $2)`,
    [subject, `o${ada.email}`],
  );
  for (const path of ["security", "security/add-app", "password"])
    expect((await other.get(`${service.url}/oidc/account/${path}`)).body, path).toContain("Sign in first");
  // The session in which it was added has passed both.
  expect((await browser.get(`${service.url}/oidc/account/security`)).body).toContain("Second factors");
});

test("whoever planted a sign-in in another browser cannot go on with it", async () => {
  const { ada } = await somebody();
  const eve = await openSignIn(service.url);
  const planted = eve.browser.cookies
    .filter((name) => name.startsWith("interaction"))
    .map((name) => `${name}=${eve.browser.cookie(name)}`)
    .join("; ");
  const uid = eve.page.url.split("/").at(-1) ?? "";
  const own = { origin: new URL(service.url).origin, "sec-fetch-site": "same-origin", cookie: planted };
  const body = new URLSearchParams(ada);
  // The owner signs in there, in their browser.
  const sent = await new Browser().request(eve.page.url, { method: "POST", headers: own, body });
  expect(sent.location).toBe(`${service.url}/oidc/auth/${uid}`);
  const resumed = await eve.browser.get(sent.location ?? "");
  expect(resumed).toMatchObject({ status: 400, location: undefined });
  expect(resumed.body).toContain("This sign-in has expired");
  // Nor after a sign-in of their own with the same cookies.
  const { ada: other } = await somebody();
  await eve.browser.submit(eve.page.url, other);
  await new Browser().request(eve.page.url, { method: "POST", headers: own, body });
  expect((await eve.browser.get(sent.location ?? "")).location).toBeUndefined();
});

test("a second factor has to follow in the browser of the password", async () => {
  const { ada, browser } = await somebody();
  const { secret } = await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  clock.forward(60);
  const { browser: theirs, page } = await passPassword(service.url, ada);
  const planted = theirs.cookies
    .filter((name) => name.startsWith("interaction"))
    .map((name) => `${name}=${theirs.cookie(name)}`)
    .join("; ");
  const answer = await new Browser().request(`${page.url}/second-factor`, {
    method: "POST",
    headers: { origin: new URL(service.url).origin, "sec-fetch-site": "same-origin", cookie: planted },
    body: new URLSearchParams({ code: codeOf(secret, clock.now()) }),
  });
  expect(answer.location).toBe(page.url);
});

test("a refresh after the end of a session gives nothing", async () => {
  const { refreshToken, subject } = await somebody();
  await service.database.transaction(newPassword(subject));
  expect((await refresh(service.url, refreshToken)).json).toMatchObject({ error: "invalid_grant" });
});
