import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { startProvider, type Running } from "../../testing/provider";
import { Browser, openSignIn, redeem, refresh, signIn, signUp, type PageAnswer } from "./testing";

const PASSWORD = "correct horse battery";
let people = 0;
const person = () => ({ email: `session-${++people}@example.com`, password: PASSWORD });

let service: Running;
beforeAll(async () => {
  // With a base path, as behind a proxy that shares its host.
  service = await startProvider({
    path: "/some/where",
    variables: { CONSOLE_URLS: "https://console.example/admin/" },
  });
});
afterAll(() => service.close());

test("signing out with the id token ends the session at once and returns to the console", async () => {
  const { browser, idToken, refreshToken } = await signUp(service.url, person());
  const query = new URLSearchParams({
    id_token_hint: idToken,
    post_logout_redirect_uri: `${service.url}/`,
    state: "s&1",
  });
  const answer = await browser.get(`${service.url}/oidc/session/end?${query}`);
  expect(answer).toMatchObject({ status: 303, location: `${service.url}/?state=s%261` });
  expect(browser.cookies.filter((name) => name.startsWith("session"))).toEqual([]);
  expect((await refresh(service.url, refreshToken)).status).toBe(400);
  const { page } = await openSignIn(service.url, {}, browser);
  expect(page.body).toContain("<h1>Sign in</h1>");
});

test("signing out without a good hint asks first; a foreign form does not confirm", async () => {
  const { browser } = await signUp(service.url, person());
  const other = await signUp(service.url, person());
  const end = `${service.url}/oidc/session/end`;
  const page = await browser.get(end);
  expect(page.body).toContain("<h1>Sign out?</h1>");
  // Another user's ID token proves nothing.
  const query = new URLSearchParams({
    id_token_hint: other.idToken,
    post_logout_redirect_uri: `${service.url}/`,
  });
  const again = await browser.get(`${end}?${query}`);
  expect(again.body).toContain("<h1>Sign out?</h1>");
  const [, action = ""] = /action="([^"]+)"/.exec(again.body) ?? [];
  const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(again.body) ?? [];
  const fields = { xsrf, logout: "yes" };
  expect((await browser.submit(action, fields, { origin: "https://evil.example" })).status).toBe(403);
  const done = await browser.submit(action, fields);
  expect(done.location).toBe(`${service.url}/`);
  const plain = await new Browser().get(`${end}/success`);
  expect(plain.body).toContain("<h1>You&#39;re signed out</h1>");
});

test("a bad hint or a foreign way back is refused on a page of ours", async () => {
  const { browser, idToken } = await signUp(service.url, person());
  for (const query of [
    { id_token_hint: "garbage" },
    { id_token_hint: idToken, post_logout_redirect_uri: "https://evil.example/" },
  ]) {
    const answer = await browser.get(`${service.url}/oidc/session/end?${new URLSearchParams(query)}`);
    expect(answer).toMatchObject({ status: 400, location: undefined });
    expect(answer.body).toContain("This sign-out can&#39;t continue");
  }
});

test("changing the password ends every other session, and the old password", async () => {
  const ada = person();
  const here = await signUp(service.url, ada);
  const there = await signIn(service.url, ada);
  const address = `${service.url}/oidc/account/password`;
  expect((await new Browser().get(address)).status).toBe(401);

  const page = await here.browser.get(address);
  expect(page.body).toContain(`Signed in as ${ada.email}`);
  const wrong = await here.browser.submit(address, {
    "current-password": "guess",
    "new-password": "a new long one",
  });
  expect(wrong.body).toContain(
    '<p class="error" id="current-password-error">Incorrect current password.</p>',
  );
  const weak = await here.browser.submit(address, { "current-password": PASSWORD, "new-password": "short" });
  expect(weak.body).toContain("Use at least 10 characters.");
  const foreign = await here.browser.submit(
    address,
    { "current-password": PASSWORD, "new-password": "a new long one" },
    { origin: "https://evil.example" },
  );
  expect(foreign.status).toBe(403);
  expect((await refresh(service.url, there.refreshToken)).status).toBe(200);

  const changed = await here.browser.submit(address, {
    "current-password": PASSWORD,
    "new-password": "a new long one",
  });
  const done = await here.browser.get(changed.location ?? "");
  expect(done.body).toContain("<h1>Password changed</h1>");
  expect((await refresh(service.url, here.refreshToken)).status).toBe(200);
  expect((await refresh(service.url, there.refreshToken)).status).toBe(400);
  const { page: asked } = await openSignIn(service.url, {}, there.browser);
  expect(asked.body).toContain("<h1>Sign in</h1>");
  await expect(signIn(service.url, ada)).rejects.toThrow("Incorrect email or password.");
  await signIn(service.url, { ...ada, password: "a new long one" });
});

test("signing in again as somebody else ends the first one's session", async () => {
  const [first, second] = [person(), person()];
  const { browser, refreshToken, accessToken: theirs } = await signUp(service.url, first);
  const sessions = await service.database.query<{ id: string }>(
    "select id from provider_records where kind = 'Session' and account = $1",
    [decodeJwt(theirs).sub],
  );
  await signUp(service.url, second);
  const { request, page } = await openSignIn(service.url, { prompt: "login" }, browser);
  expect(page.body).toContain(`value="${first.email}"`);
  let answer: PageAnswer = await browser.follow(await browser.submit(page.url, second), request.redirectUri);
  // The provider ends the old session with a form that submits itself.
  const policy = answer.headers.get("content-security-policy") ?? "";
  const own =
    /script-src http:\/\/127\.0\.0\.1:\d+\/some\/where\/oidc\/assets\/pages-[\w-]{12}\.js \S+\/passkeys-[\w-]{12}\.js (?=')/;
  expect(policy).toMatch(own);
  expect(policy.replace(own, "script-src ")).toMatch(/script-src 'sha256-[\w+/]{43}='(?:;|$)/);
  const [, action = ""] = /action="([^"]+)"/.exec(answer.body) ?? [];
  const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(answer.body) ?? [];
  answer = await browser.follow(await browser.submit(action, { xsrf, logout: "yes" }), request.redirectUri);
  const { accessToken } = await redeem(service.url, browser, answer.location, request);
  expect(decodeJwt(accessToken)["email"]).toBe(second.email);
  expect((await refresh(service.url, refreshToken)).status).toBe(400);
  // The old session must not continue with another person: its id is worthless to anyone who knew or planted it.
  const left = await service.database.query("select account from provider_records where id = $1", [
    sessions[0]?.id,
  ]);
  expect([sessions.length, left]).toEqual([1, [{ account: null }]]);
});

test("a request that was held back does not bring back a session that has ended meanwhile", async () => {
  const { browser, idToken } = await signUp(service.url, person());
  const address = `${service.url}/oidc/session/end`;
  const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec((await browser.get(address)).body) ?? [];
  const bytes = new TextEncoder().encode(`xsrf=${xsrf}`);
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const reads = vi.spyOn(service.database, "query");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    origin: new URL(address).origin,
    "sec-fetch-site": "same-origin",
  };
  const held = browser.request(`${address}/confirm`, {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
  await writer.write(bytes.slice(0, -1));
  await expect.poll(() => reads.mock.calls.some(([, values]) => values?.[0] === "Session")).toBe(true);
  reads.mockRestore();

  const query = new URLSearchParams({ id_token_hint: idToken });
  expect((await browser.get(`${address}?${query}`)).status).toBe(303);
  await writer.write(bytes.slice(-1));
  await writer.close();
  // The held request means "stay signed in", so its response sets the cookie again.
  expect((await held).status).toBe(303);
  expect(browser.cookies.filter((name) => name.startsWith("session")).toSorted()).toEqual([
    expect.stringMatching(/^session_[0-9a-f]{8}$/),
    expect.stringMatching(/^session_[0-9a-f]{8}\.sig$/),
  ]);
  const { page } = await openSignIn(service.url, {}, browser);
  expect(page.body).toContain("<h1>Sign in</h1>");
});
