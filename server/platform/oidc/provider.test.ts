import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { movableClock, startProvider, type Running } from "../../testing/provider";
import { authorization, Browser, redeem, refresh, signIn, signUp, tokenRequest } from "./testing";

const SECRET = "a secret of sixteen+ characters % and more";
const clock = movableClock();
const warnings = vi.spyOn(console, "warn");
const notices = vi.spyOn(console, "info");
let service: Running;

beforeAll(async () => {
  service = await startProvider({
    now: clock.now,
    variables: {
      AUTOMATION_CLIENT_SECRET: SECRET,
      CONSOLE_URLS: "https://console.example/admin/",
      FEDERATION_CALLBACKS: "https://other.example/callback",
      ACCESS_TOKEN_TTL: "300",
    },
  });
});
afterAll(async () => {
  await service.close();
  vi.restoreAllMocks();
});

let people = 0;
const person = () => ({ email: `person-${++people}@example.com`, password: "correct horse battery" });

const verify = async (token: string) => {
  const { url, config } = service;
  const keys = createRemoteJWKSet(new URL(`${url}/oidc/jwks`));
  return jwtVerify(token, keys, {
    issuer: config.issuer,
    audience: config.publicUrl,
    typ: "at+jwt",
    algorithms: ["ES256"],
  });
};

test("creating an account ends with an access token for the API", async () => {
  const { accessToken, idToken, expiresIn } = await signUp(service.url, {
    ...person(),
    email: "Ada@Example.com ",
    name: "Ada",
  });
  const { payload } = await verify(accessToken);
  expect(payload).toMatchObject({ email: "ada@example.com", name: "Ada", client_id: "console" });
  expect(payload.sub).not.toContain("ada@");
  expect(expiresIn).toBe(300);
  expect(decodeJwt(idToken)).toMatchObject({
    sub: payload.sub,
    email: "ada@example.com",
    email_verified: false,
    name: "Ada",
  });
  const keys = await service.provider.jwks();
  expect(keys.keys).toHaveLength(1);
  expect(JSON.stringify(keys)).not.toContain('"d"');
});

test("the same account signs in again with its password", async () => {
  const ada = person();
  const first = await signUp(service.url, ada);
  const second = await signIn(service.url, { ...ada, email: ada.email.toUpperCase() });
  expect(decodeJwt(second.accessToken).sub).toBe(decodeJwt(first.accessToken).sub);
});

test("refresh tokens rotate; reuse is tolerated for ten seconds and revokes the grant later", async () => {
  const { refreshToken } = await signUp(service.url, person());
  const second = await refresh(service.url, refreshToken);
  expect(second.status).toBe(200);
  expect(second.json["refresh_token"]).not.toBe(refreshToken);
  await verify(String(second.json["access_token"]));

  clock.forward(6);
  const tolerated = await refresh(service.url, refreshToken);
  expect(tolerated.status).toBe(200);

  // A second use does not extend the window.
  clock.forward(6);
  const late = await refresh(service.url, refreshToken);
  expect(late.json).toMatchObject({ error: "invalid_grant" });
  for (const token of [second, tolerated].map(({ json }) => String(json["refresh_token"])))
    expect((await refresh(service.url, token)).status).toBe(400);
});

test("after a revoked grant the session gives a new one", async () => {
  const { refreshToken, browser } = await signUp(service.url, person());
  await refresh(service.url, refreshToken);
  clock.forward(11);
  await refresh(service.url, refreshToken);
  const request = authorization(service.url);
  const back = await browser.get(request.url);
  const { refreshToken: renewed } = await redeem(service.url, browser, back.location, request);
  expect((await refresh(service.url, renewed)).status).toBe(200);
});

test("two tabs that come back at the same time share one grant", async () => {
  const { browser } = await signUp(service.url, person());
  const requests = [authorization(service.url), authorization(service.url)];
  const backs = await Promise.all(requests.map(({ url }) => browser.get(url)));
  const tabs = await Promise.all(
    requests.map((request, index) => redeem(service.url, browser, backs[index]?.location, request)),
  );
  for (const { refreshToken } of tabs) expect((await refresh(service.url, refreshToken)).status).toBe(200);
});

test("a restart ends no session", async () => {
  const { refreshToken, accessToken, browser } = await signUp(service.url, person());
  await service.restart();
  await verify(accessToken);
  expect((await refresh(service.url, refreshToken)).status).toBe(200);
  const request = authorization(service.url);
  const back = await browser.get(request.url);
  expect(back.location).toMatch(/[?&]code=/);
});

test("automation gets a token for the API without naming scope or resource", async () => {
  const basic = Buffer.from(`automation:${encodeURIComponent(SECRET)}`).toString("base64");
  const answer = await tokenRequest(
    service.url,
    { grant_type: "client_credentials" },
    { authorization: `Basic ${basic}` },
  );
  expect(answer.json).toMatchObject({ token_type: "Bearer", expires_in: 300 });
  const { payload } = await verify(String(answer.json["access_token"]));
  expect(payload.sub).toBe("automation");
  const wrong = Buffer.from("automation:guess").toString("base64");
  const refused = await tokenRequest(
    service.url,
    { grant_type: "client_credentials" },
    { authorization: `Basic ${wrong}` },
  );
  expect(refused.status).toBe(401);
});

test.each([
  ["no PKCE", { code_challenge: "", code_challenge_method: "" }],
  ["the plain method", { code_challenge_method: "plain" }],
  ["the implicit flow", { response_type: "id_token" }],
])("%s is refused", async (_name, parameters) => {
  const { url, redirectUri } = authorization(service.url, parameters as Record<string, string>);
  const address = new URL(url);
  for (const [name, value] of Object.entries(parameters)) if (value === "") address.searchParams.delete(name);
  const { location } = await new Browser().get(address.href);
  expect(location).toMatch(new RegExp(`^${redirectUri}.*error=(invalid_request|unsupported_response_type)`));
});

test("a redirect elsewhere is refused on a page of ours, not followed", async () => {
  const { url } = authorization(service.url, { redirect_uri: "https://evil.example/<script>" });
  const answer = await new Browser().get(url);
  expect(answer).toMatchObject({ status: 400, location: undefined });
  expect(answer.body).toContain("invalid_redirect_uri");
  expect(answer.body).toContain("<dd>https://evil.example/&lt;script&gt;</dd>");
  expect(answer.body).toContain("CONSOLE_URLS");
  expect(answer.body).not.toContain("<script>");
});

test("a forged host changes nothing that the provider says of itself", async () => {
  const { port } = new URL(service.url);
  const body = await new Promise<string>((resolve, reject) => {
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
    };
    httpRequest({ port, path: "/oidc/.well-known/openid-configuration", headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve(text));
    })
      .on("error", reject)
      .end();
  });
  expect(body).not.toContain("evil");
  expect(JSON.parse(body)).toMatchObject({
    issuer: `${service.url}/oidc`,
    authorization_endpoint: `${service.url}/oidc/auth`,
    end_session_endpoint: `${service.url}/oidc/session/end`,
    code_challenge_methods_supported: ["S256"],
  });
});

test("only the consoles' origins may ask for tokens", async () => {
  const ask = (origin: string) =>
    tokenRequest(service.url, { grant_type: "refresh_token", refresh_token: "x" }, { origin });
  for (const origin of [service.url, "https://console.example"]) {
    const { headers, json } = await ask(origin);
    expect(json["error"]).toBe("invalid_grant");
    expect(headers.get("access-control-allow-origin")).toBe(origin);
  }
  const { headers, json } = await ask("https://evil.example");
  expect(json["error"]).toBe("invalid_request");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});

test("a revoked refresh token ends its grant", async () => {
  const { refreshToken } = await signUp(service.url, person());
  const body = new URLSearchParams({ client_id: "console", token: refreshToken });
  const revoked = await fetch(`${service.url}/oidc/token/revocation`, { method: "POST", body });
  expect(revoked.status).toBe(200);
  expect((await refresh(service.url, refreshToken)).status).toBe(400);
});

test("nothing of the provider's own remarks reaches the terminal", () => {
  expect(warnings).not.toHaveBeenCalled();
  expect(notices).not.toHaveBeenCalled();
});

const post = (path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
  fetch(`${service.url}/oidc${path}`, { method: "POST", body: new URLSearchParams(fields), headers });
const automation = { authorization: `Basic ${btoa(`automation:${encodeURIComponent(SECRET)}`)}` };

test("another service learns who somebody is from userinfo, with a token that the API does not take", async () => {
  const ada = await signUp(service.url, { ...person(), name: "Ada" });
  const request = authorization(service.url, {
    client_id: "federation",
    redirect_uri: "https://other.example/callback",
    scope: "openid email profile",
  });
  const back = await ada.browser.follow(await ada.browser.get(request.url), request.redirectUri);
  const { json } = await tokenRequest(service.url, {
    client_id: "federation",
    grant_type: "authorization_code",
    code: new URL(back.location ?? "").searchParams.get("code") ?? "",
    code_verifier: request.verifier,
    redirect_uri: request.redirectUri,
  });
  const token = String(json["access_token"]);
  expect(token.split(".")).toHaveLength(1);
  const info = (bearer: string) =>
    fetch(`${service.url}/oidc/me`, { headers: { authorization: `Bearer ${bearer}` } });
  const found = await info(token);
  expect(await found.json()).toMatchObject({ sub: decodeJwt(ada.idToken).sub, name: "Ada" });
  // A token for the API is none for userinfo.
  expect((await info(ada.accessToken)).status).toBe(401);
  const introspected = await post("/token/introspection", { token }, automation);
  expect(await introspected.json()).toMatchObject({ active: true, client_id: "federation" });
});

test("only a client with a secret can introspect tokens", async () => {
  const { refreshToken, accessToken } = await signUp(service.url, person());
  const ask = (token: string, headers = {}, more = {}) =>
    post("/token/introspection", { token, ...more }, headers);
  expect(await (await ask(refreshToken, automation)).json()).toMatchObject({ active: true });
  expect(await (await ask("unknown", automation)).json()).toEqual({ active: false });
  expect(await (await ask(refreshToken, {}, { client_id: "console" })).json()).toEqual({ active: false });
  // JWTs are verified with the published keys.
  expect(await (await ask(accessToken, automation)).json()).toMatchObject({
    error: "unsupported_token_type",
  });
});

test("a client that may not use a grant is told so by the code for that", async () => {
  const { status, json } = await tokenRequest(
    service.url,
    { grant_type: "refresh_token", refresh_token: "any" },
    automation,
  );
  expect([status, json["error"]]).toEqual([400, "unauthorized_client"]);
});
