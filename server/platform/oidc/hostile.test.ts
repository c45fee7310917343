import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startProvider, type Running } from "../../testing/provider";
import { authorization, openSignIn } from "./testing";

let service: Running;
beforeAll(async () => {
  // With a base path, as behind a proxy that shares its host.
  service = await startProvider({
    path: "/some/where",
    variables: { CONSOLE_URLS: "https://console.example/admin/" },
  });
});
afterAll(() => service.close());

/** Bypasses fetch, which forbids some headers. */
const raw = (
  options: RequestOptions,
  body = "",
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    httpRequest({ hostname, port, ...options }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    })
      .on("error", reject)
      .end(body);
  });

test("malformed requests get a page of ours and never a 500", async () => {
  const { browser, page } = await openSignIn(service.url);
  const { pathname } = new URL(page.url);
  const mount = "/some/where/oidc";
  const html = { accept: "text/html", host: new URL(service.url).host };
  const form = {
    ...html,
    origin: new URL(service.url).origin,
    "content-type": "application/x-www-form-urlencoded",
  };
  const odd = encodeURIComponent('\u0000"\ud83d\ude00') + "%00%ff%";
  const { redirectUri, url } = authorization(service.url);
  const requests: [RequestOptions, string?][] = [
    [{ path: `${mount}/nowhere`, headers: html }],
    [{ path: `${mount}/interaction/nothing`, headers: html }],
    [{ path: `${mount}/interaction/%00%ff`, headers: html }],
    [{ path: `${mount}/auth`, headers: html }],
    [{ path: `${mount}/auth?client_id=${odd}&redirect_uri=${odd}`, headers: html }],
    [{ path: `${mount}/auth/${odd}`, headers: html }],
    [{ path: `${mount}/auth`, method: "DELETE", headers: html }],
    [{ path: `${mount}/session/end?id_token_hint=${odd}`, headers: html }],
    [{ path: `${mount}/session/end?client_id=${odd}`, headers: html }],
    [{ path: `${mount}/session/end/confirm`, method: "POST", headers: form }, `xsrf=${odd}`],
    [{ path: pathname, method: "PUT", headers: form }],
    [{ path: pathname, method: "POST", headers: form }, `email=${odd}&password=${odd}`],
    [{ path: pathname, method: "POST", headers: form }, `credential=${odd}`],
    ...["second-factor", "recovery-code", "passkey", "set-up", "add-app", "add-passkey", "signed-in"].map(
      (step): [RequestOptions, string] => [
        { path: `${pathname}/${step}`, method: "POST", headers: form },
        `code=${odd}&credential=${odd}&name=${odd}`,
      ],
    ),
    ...["", "/add-app", "/confirm/add-app", "/factor/%00", "/confirm/confirm/", "/../"].map(
      (below): [RequestOptions, string] => [
        { path: `${mount}/account/security${below}`, method: "POST", headers: form },
        `password=${odd}&code=${odd}&credential=${odd}`,
      ],
    ),
    [{ path: `${mount}/account/password`, headers: { ...html, cookie: `session=${odd}; =; %` } }],
    [
      { path: `${mount}/token`, method: "POST", headers: form },
      `grant_type=refresh_token&client_id=console&refresh_token=${odd}`,
    ],
    [
      { path: `${mount}/token`, method: "POST", headers: form },
      `grant_type=authorization_code&client_id=console&code=${odd}&redirect_uri=x`,
    ],
    [
      { path: `${mount}/token`, method: "POST", headers: { ...form, authorization: "Basic %%%" } },
      "grant_type=client_credentials",
    ],
    [
      { path: `${mount}/token`, method: "POST", headers: { ...form, "content-type": "application/json" } },
      "{",
    ],
    [{ path: `${mount}/token/revocation`, method: "POST", headers: form }, `client_id=console&token=${odd}`],
    [{ path: `${mount}/jwks?${odd}`, method: "OPTIONS", headers: html }],
  ];
  for (const [options, body] of requests) {
    const answer = await raw(options, body);
    expect([options.path, answer.status < 500]).toEqual([options.path, true]);
    if (String(answer.headers["content-type"]).startsWith("text/html"))
      expect(answer.body).toContain('<link rel="stylesheet"');
  }
  // A state with a NUL survives the whole flow and comes back as sent.
  const strange = await browser.get(`${url}%00`);
  expect(strange.status).toBe(303);
  expect(redirectUri).toBe(`${service.url}/`);

  const long = await browser.submit(page.url, { email: "x".repeat(20_000), password: "x" });
  expect(long.status).toBe(413);
  const json = await browser.request(page.url, {
    method: "POST",
    body: "{}",
    headers: { origin: new URL(page.url).origin, "content-type": "application/json" },
  });
  expect(json.status).toBe(415);
});

test("a page asked for under another name of the host moves to the public one", async () => {
  const { port } = new URL(service.url);
  const path = "/some/where/oidc/account/password";
  const headers = { host: `localhost:${port}`, accept: "text/html" };
  const moved = await raw({ path, headers });
  expect([moved.status, moved.headers.location]).toEqual([307, `${service.url}/oidc/account/password`]);
  // Behind a proxy that rewrites Host, this would loop.
  const proxied = await raw({ path, headers: { ...headers, "x-forwarded-host": "whatever" } });
  expect(proxied.status).toBe(401);
});

test("over https the cookies are secure, the host's own, and carry the issuer's mark", async () => {
  const secure = await startProvider({
    variables: { PUBLIC_URL: "https://platform.example", SIGN_UP: "open" },
    database: service.database,
  });
  try {
    const { port } = new URL(secure.url);
    const jar = new Map<string, string>();
    const marked =
      /^__(Host|Secure)-\w+_[0-9a-f]{8}(\.sig|_[\w-]{8})?=(?=.*; samesite=lax)(?=.*; secure)(?=.*; httponly)/i;
    const go = async (path: string, form?: Readonly<Record<string, string>>) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = {
        host: "platform.example",
        cookie,
        ...(form && {
          origin: "https://platform.example",
          "content-type": "application/x-www-form-urlencoded",
        }),
      };
      const body = form ? new URLSearchParams(form).toString() : "";
      const answer = await raw({ port, path, method: form ? "POST" : "GET", headers }, body);
      for (const line of answer.headers["set-cookie"] ?? []) {
        const [name = "", value = ""] = line.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
        if (!line.includes("1970")) expect(line).toMatch(marked);
        // RFC 6265bis, section 4.1.3.2: browsers reject one whose path is not the whole host.
        if (name.startsWith("__Host-")) expect(line).toMatch(/; path=\/;(?!.*domain)/i);
        jar.set(name, value);
      }
      const { location = "" } = answer.headers;
      return /^https?:/.test(location) ? location.replace("https://platform.example", "") : location;
    };
    const { url } = authorization("https://platform.example");
    const signIn = await go(url.replace("https://platform.example", ""));
    expect(signIn).toMatch(/^\/oidc\/interaction\//);
    const form = { email: "ada@example.com", password: "correct horse battery", name: "" };
    const resumed = await go(`${signIn}/create-account`, form);
    expect(await go(resumed)).toMatch(/[?&]code=/);
    expect([...jar.keys()].filter((name) => name.startsWith("__Host-session_"))).toHaveLength(2);
    expect([...jar.keys()].filter((name) => name.startsWith("__Host-device_"))).toHaveLength(1);
  } finally {
    await secure.close();
  }
});
