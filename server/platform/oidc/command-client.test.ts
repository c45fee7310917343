import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { READ_ONLY } from "platform-contract/sts/read-only";

import { movableClock, startProvider, type Running } from "../../testing/provider";
import { authorization, Browser, signUp, tokenRequest } from "./testing";

const clock = movableClock();
let service: Running;
beforeAll(async () => void (service = await startProvider({ now: clock.now })));
afterAll(() => service.close());

const COMMAND = "platform-command";
const LOOPBACK = "http://127.0.0.1:49152/callback";
let people = 0;
const person = () => ({ email: `command-${++people}@example.com`, password: "correct horse battery" });

const asked = (more: Readonly<Record<string, string>> = {}) =>
  authorization(service.url, { client_id: COMMAND, redirect_uri: LOOPBACK, ...more });

/** Opens the sign-in for the command in a browser, and signs in as this person. */
async function signedIn(browser: Browser, { email, password }: ReturnType<typeof person>, request = asked()) {
  const page = await browser.follow(await browser.get(request.url), request.redirectUri);
  const back = await browser.follow(await browser.submit(page.url, { email, password }), request.redirectUri);
  return { page, request, code: new URL(back.location ?? "about:blank").searchParams.get("code") ?? "" };
}

const exchanged = (code: string, { verifier, redirectUri }: ReturnType<typeof asked>, more = {}) =>
  tokenRequest(service.url, {
    client_id: COMMAND,
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...more,
  });

test("the command gets tokens for the API through a port of 127.0.0.1", async () => {
  const ada = person();
  await signUp(service.url, ada);
  const { code, request, page } = await signedIn(new Browser(), ada);
  expect(page.body).toContain("The command platform asks you to sign in.");
  const { status, json } = await exchanged(code, request);
  expect(status).toBe(200);
  expect(decodeJwt(String(json["access_token"]))).toMatchObject({
    client_id: COMMAND,
    aud: service.config.publicUrl,
  });
  expect(json).toHaveProperty("refresh_token");
});

test("a sign-in that asks to read only gives tokens that say so, whatever a refresh asks for", async () => {
  const ada = person();
  await signUp(service.url, ada);
  const whole = await signedIn(new Browser(), ada);
  const whatever = await exchanged(whole.code, whole.request);
  expect(decodeJwt(String(whatever.json["access_token"]))).not.toHaveProperty(READ_ONLY);

  const { code, request } = await signedIn(
    new Browser(),
    ada,
    asked({ scope: `openid email offline_access ${READ_ONLY}` }),
  );
  let { json } = await exchanged(code, request);
  expect(decodeJwt(String(json["access_token"]))).toMatchObject({ [READ_ONLY]: true });
  for (const scope of ["openid", "", `openid ${READ_ONLY}`, "openid"]) {
    const sent = {
      client_id: COMMAND,
      grant_type: "refresh_token",
      refresh_token: String(json["refresh_token"]),
      ...(scope !== "" && { scope }),
    };
    // oxlint-disable-next-line no-await-in-loop -- each has the token of the one before
    ({ json } = await tokenRequest(service.url, sent));
    expect(decodeJwt(String(json["access_token"])), scope).toMatchObject({ [READ_ONLY]: true });
  }
});

test("somebody who is signed in already signs in again: any program can call itself the command", async () => {
  const ada = person();
  const { browser } = await signUp(service.url, ada);
  const silent = await browser.follow(await browser.get(asked({ prompt: "none" }).url), LOOPBACK);
  expect(silent.location).toContain("error=login_required");
  const { page, code, request } = await signedIn(browser, ada);
  expect(page.status).toBe(200);
  expect((await exchanged(code, request)).status).toBe(200);
  // The console still comes back without a question.
  const console = authorization(service.url);
  expect((await browser.get(console.url)).location).toContain("code=");
});

test("a form of this sign-in can end at the port that asked, and at no other", async () => {
  const policyOf = async (url: string) =>
    (await new Browser().follow(await new Browser().get(url), "")).headers.get("content-security-policy") ??
    "";
  const browser = new Browser();
  const page = await browser.follow(await browser.get(asked().url), LOOPBACK);
  expect(page.headers.get("content-security-policy")).toMatch(
    /form-action 'self' http:\/\/127\.0\.0\.1:49152 /,
  );
  expect(await policyOf(authorization(service.url).url)).not.toContain("49152");
});

test.each([
  ["https://evil.example/callback"],
  ["http://evil.example:49152/callback"],
  ["http://localhost:49152/callback"],
  ["http://[::1]:49152/callback"],
  ["http://127.0.0.2:49152/callback"],
  ["http://127.0.0.1.evil.example:49152/callback"],
  ["http://127.0.0.1:49152@evil.example/callback"],
  ["http://evil.example@127.0.0.1:49152/callback"],
  ["https://127.0.0.1:49152/callback"],
  ["http://127.0.0.1:49152/elsewhere"],
  ["http://127.0.0.1:49152/callback/../elsewhere"],
  ["http://127.0.0.1:49152/callback?x=1"],
  ["http://127.0.0.1:49152/callback#x"],
  ["platform://callback"],
])("no code goes to %s", async (redirect_uri) => {
  const answer = await new Browser().get(asked({ redirect_uri }).url);
  expect(answer).toMatchObject({ status: 400, location: undefined });
});

test("a port is the command's alone: the console's client has none of its choice", async () => {
  const answer = await new Browser().get(authorization(service.url, { redirect_uri: LOOPBACK }).url);
  expect(answer).toMatchObject({ status: 400, location: undefined });
});

test.each([
  ["without PKCE", { code_challenge: "", code_challenge_method: "" }],
  ["with the plain method", { code_challenge_method: "plain" }],
  ["for an implicit token", { response_type: "token" }],
])("no code is given %s", async (_what, more) => {
  const url = new URL(asked(more).url);
  for (const [name, value] of Object.entries(more)) if (value === "") url.searchParams.delete(name);
  const back = await new Browser().get(url.href);
  expect(back.location ?? "").not.toContain("code=");
  expect(back.location ?? back.body).toMatch(/invalid_request|unsupported_response_type/);
});

test("a code counts once, and only with its verifier, its port and its client", async () => {
  const ada = person();
  await signUp(service.url, ada);
  const take = async (more: object) => {
    const { code, request } = await signedIn(new Browser(), ada);
    return (await exchanged(code, request, more)).json["error"];
  };
  expect(await take({ code_verifier: "a".repeat(43) })).toBe("invalid_grant");
  expect(await take({ redirect_uri: "http://127.0.0.1:49153/callback" })).toBe("invalid_grant");
  expect(await take({ client_id: "console" })).toBe("invalid_grant");

  const { code, request } = await signedIn(new Browser(), ada);
  const first = await exchanged(code, request);
  expect((await exchanged(code, request)).json["error"]).toBe("invalid_grant");
  // The replay ended what the code had given.
  const refresh = {
    client_id: COMMAND,
    grant_type: "refresh_token",
    refresh_token: String(first.json["refresh_token"]),
  };
  expect((await tokenRequest(service.url, refresh)).json["error"]).toBe("invalid_grant");
});

test("no web page uses the command's client, not even the console's", async () => {
  for (const origin of ["https://evil.example", "http://127.0.0.1:49152", service.url]) {
    const { headers, json } = await tokenRequest(
      service.url,
      { client_id: COMMAND, grant_type: "refresh_token", refresh_token: "x" },
      { origin },
    );
    expect(json["error"]).toBe("invalid_request");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("the device flow is off", async () => {
  const found = await fetch(`${service.url}/oidc/.well-known/openid-configuration`);
  expect(await found.json()).not.toHaveProperty("device_authorization_endpoint");
  const { json } = await tokenRequest(service.url, {
    client_id: COMMAND,
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: "x",
  });
  expect(json["error"]).toMatch(/unsupported_grant_type|unauthorized_client/);
});
