import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startProvider, type Running } from "../../testing/provider";
import { createLog } from "../../log";
import { resetPassword } from "./password-reset";
import { authorization, Browser, openSignIn, redeem, refresh, signIn, signUp } from "./testing";
import { readTypeface } from "./typeface";

const PASSWORD = "correct horse battery";
let people = 0;
const person = () => ({ email: `sign-in-${++people}@example.com`, password: PASSWORD });

let service: Running;
beforeAll(async () => {
  // With a base path, as behind a proxy that shares its host.
  service = await startProvider({
    path: "/some/where",
    variables: { CONSOLE_URLS: "https://console.example/admin/" },
  });
});
afterAll(() => service.close());

/** Collapses whitespace in markup, and normalizes void elements. */
const squeeze = (html: string): string => html.replaceAll(/\s+/g, " ").replaceAll(" />", ">");

/** Takes our own script tag out of a page, so that any other one is found. */
const withoutOwnScript = (html: string): string => {
  const parts = html.split(OWN_SCRIPT);
  expect(parts).toHaveLength(2);
  return parts.join("");
};
const OWN_SCRIPT = /<script src="\/some\/where\/oidc\/assets\/pages-[\w-]{12}\.js" defer><\/script>/;

test("the sign-in page is a labelled form under a strict policy", async () => {
  const { page } = await openSignIn(service.url);
  expect(page.status).toBe(200);
  expect(page.url).toMatch(/\/some\/where\/oidc\/interaction\/[\w-]+$/);
  expect(page.body).toContain('<html lang="en">');
  expect(page.body).toContain("<title>Sign in - Platform Console</title>");
  expect(page.body).toContain('<label for="email">Email</label>');
  expect(squeeze(page.body)).toMatch(/<input id="email"[^>]*autocomplete="username"[^>]*autofocus>/);
  expect(squeeze(page.body)).toMatch(/<input id="password"[^>]*autocomplete="current-password"/);
  expect(withoutOwnScript(page.body)).not.toMatch(/<script|<style| style=|https?:\/\/(?!127)/);
  const { headers } = page;
  // Pages with passkeys load a second file.
  const passkeys = / (http:\S+\/oidc\/assets\/passkeys-[\w-]{12}\.js);/.exec(
    headers.get("content-security-policy") ?? "",
  )?.[1];
  const second = await new Browser().get(passkeys ?? "");
  expect(second.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(second.body).not.toMatch(/fetch\(|XMLHttpRequest|import\(|innerHTML|eval\(/);
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; " +
      `script-src ${new URL(/<script src="([^"]+)"/.exec(page.body)?.[1] ?? "", page.url).href} ${passkeys}; ` +
      `form-action 'self' ${new URL(service.url).origin} https://console.example; frame-ancestors 'none'; base-uri 'none'`,
  );
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("cache-control")).toBe("no-store");
  const [, stylesheet = ""] = /rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? [];
  const css = await new Browser().get(new URL(stylesheet, page.url).href);
  expect(css.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(css.body).not.toContain("url(");
  const [, script = ""] = /<script src="([^"]+)"/.exec(page.body) ?? [];
  const js = await new Browser().get(new URL(script, page.url).href);
  expect(js.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(js.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(js.body).not.toMatch(/fetch|XMLHttpRequest|import|innerHTML|eval|https?:/);
});

test("pages load the typeface of the console's build, and do without where there is none", async () => {
  const directory = await mkdtemp(join(tmpdir(), "console-"));
  expect(readTypeface(directory)).toBeUndefined();
  await mkdir(join(directory, ".vite"));
  const built = {
    "geist/files/geist-latin-wght-normal.woff2": { file: "assets/geist-1.woff2" },
    "geist/files/geist-latin-ext-wght-normal.woff2": { file: "assets/geist-ext-2.woff2" },
    "geist-mono/files/geist-mono-latin-wght-normal.woff2": { file: "assets/geist-mono-3.woff2" },
  };
  const entries = Object.entries(built).map(([name, file]) => [
    `node_modules/@fontsource-variable/${name}`,
    file,
  ]);
  const manifest = (kept: readonly unknown[][]) =>
    writeFile(join(directory, ".vite/manifest.json"), JSON.stringify(Object.fromEntries(kept)));
  // A build of another version, without one of them.
  await manifest(entries.slice(1));
  expect(readTypeface(directory)).toBeUndefined();
  await manifest(entries);
  const typeface = readTypeface(directory);
  const dressed = await startProvider({ path: "/some/where", database: service.database, typeface });
  try {
    const { page } = await openSignIn(dressed.url);
    const links = page.body.match(/<link rel="preload"[^>]*>/g);
    expect(links?.map(squeeze)).toEqual([
      '<link rel="preload" href="/some/where/assets/geist-1.woff2" as="font" type="font/woff2" crossorigin>',
    ]);
    const [, stylesheet = ""] = /rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? [];
    const address = new URL(stylesheet, page.url).href;
    const css = await new Browser().get(address);
    const urls = [...css.body.matchAll(/url\(([^)]*)\)/g)].map(([, url = ""]) => JSON.parse(url) as string);
    expect(urls.map((url) => new URL(url, address).pathname)).toEqual([
      "/some/where/assets/geist-ext-2.woff2",
      "/some/where/assets/geist-1.woff2",
      "/some/where/assets/geist-mono-3.woff2",
    ]);
  } finally {
    await dressed.close();
    await rm(directory, { recursive: true });
  }
  expect((await openSignIn(service.url)).page.body).not.toMatch(/preload|woff2/);
});

test("a wrong password and an unknown email look the same", async () => {
  const { email } = person();
  await signUp(service.url, { email, password: PASSWORD });
  const bodies: string[] = [];
  for (const typed of [email, "nobody@example.com"]) {
    const { browser, page } = await openSignIn(service.url);
    const answer = await browser.submit(page.url, { email: typed, password: "wrong password" });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('<div class="alert" role="alert">Incorrect email or password.</div>');
    expect(answer.body).toContain(`value="${typed}"`);
    expect(answer.body).not.toContain("wrong password");
    bodies.push(answer.body.replaceAll(typed, "").replaceAll(page.url.split("/").at(-1) ?? "", ""));
  }
  expect(bodies[0]).toBe(bodies[1]);
});

test("what a person types is text, never markup", async () => {
  const { browser, page } = await openSignIn(service.url, {
    login_hint: '"><img src=x onerror=alert(1)>@example.com',
  });
  expect(page.body).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;@example.com");
  const hostile = `"><script>alert('x')</script>\u0000@example.com`;
  const answer = await browser.submit(page.url, { email: hostile, password: "x" });
  expect(answer.status).toBe(200);
  expect(withoutOwnScript(answer.body)).not.toContain("<script");
  const account = await browser.submit(`${page.url}/create-account`, {
    email: hostile,
    name: "<b>\u0000",
    password: "x",
  });
  expect(withoutOwnScript(account.body)).not.toMatch(/<script|<b>/);
  expect(account.body).toContain("Enter an email address like name@example.com.");
});

test("every violation of a new account stands under its field, and what was typed stays", async () => {
  const { browser, page } = await openSignIn(service.url);
  const address = `${page.url}/create-account`;
  const first = await browser.get(address);
  expect(first.body).toContain("<title>Create an account - Platform Console</title>");
  expect(squeeze(first.body)).toMatch(
    /<input id="password"[^>]*autocomplete="new-password"[^>]*aria-describedby="password-hint"/,
  );
  const answer = await browser.submit(address, { email: "ada", name: "Ada L", password: "short" });
  expect(answer.body).toContain("<title>Error: Create an account - Platform Console</title>");
  expect(squeeze(answer.body)).toMatch(
    /<input id="email"[^>]* value="ada"[^>]*aria-invalid="true" aria-describedby="email-error" autofocus>/,
  );
  expect(answer.body).toContain('value="Ada L"');
  expect(squeeze(answer.body)).toMatch(
    /<input id="password"[^>]*aria-invalid="true" aria-describedby="password-error">/,
  );
  expect(answer.body).toContain('<p class="error" id="password-error">Use at least 10 characters.</p>');
  expect(answer.body).not.toContain("short");
  const { email } = person();
  await signUp(service.url, { email, password: PASSWORD });
  const taken = await browser.submit(address, { email, name: "", password: PASSWORD });
  expect(taken.body).toContain("An account with this email already exists.");
});

test("a form from another site is refused and changes nothing", async () => {
  const ada = person();
  await signUp(service.url, ada);
  const { browser, page } = await openSignIn(service.url);
  const fields = { email: ada.email, password: ada.password };
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])
    expect((await browser.submit(page.url, fields, headers)).status).toBe(403);
  const silent = await browser.request(page.url, { method: "POST", body: new URLSearchParams(fields) });
  expect(silent.status).toBe(403);
  // Nor is the address of an interaction sufficient without its cookie.
  const stranger = await new Browser().submit(page.url, fields);
  expect(stranger.status).toBe(400);
  expect(stranger.body).toContain("This sign-in has expired");
  expect((await browser.submit(page.url, fields)).status).toBe(303);
});

test("a silent request says that somebody has to sign in; consent is never asked for", async () => {
  const { browser, request } = await openSignIn(service.url, { prompt: "none" });
  const silent = await browser.get(request.url);
  expect(silent.location).toContain("error=login_required");
  const { browser: known } = await signUp(service.url, person());
  const asked = authorization(service.url, { prompt: "consent" });
  const back = await known.follow(await known.get(asked.url), asked.redirectUri);
  await redeem(service.url, known, back.location, asked);
});

test("where sign-up is closed there is neither link nor page", async () => {
  const closed = await startProvider({ variables: { SIGN_UP: "closed" }, database: service.database });
  try {
    const browser = new Browser();
    const request = authorization(closed.url);
    const page = await browser.follow(await browser.get(request.url), request.redirectUri);
    expect(page.body).not.toContain("create-account");
    expect((await browser.get(`${page.url}/create-account`)).status).toBe(404);
    await expect(signUp(closed.url, person())).rejects.toThrow("refused (404)");
  } finally {
    await closed.close();
  }
});

test("whoever forgot their password is told whom to ask, in a sign-in that is open", async () => {
  const { browser, page } = await openSignIn(service.url);
  const [, address = ""] = /<a href="([^"]+)">Forgot your password\?<\/a>/.exec(squeeze(page.body)) ?? [];
  const told = await browser.get(new URL(address, page.url).href);
  expect([told.status, squeeze(told.body)]).toEqual([
    200,
    expect.stringContaining("Ask the people who run this service for a new one."),
  ]);
  expect(told.body).toContain(`href="${new URL(page.url).pathname}">Back to sign-in</a>`);
  expect((await new Browser().get(told.url)).status).toBe(400);
});

test("a reset replaces the password, ends the sessions, and is in the log without either password", async () => {
  const { email } = person();
  const { refreshToken, accessToken } = await signUp(service.url, { email, password: PASSWORD });
  const { database, config } = service;
  const recorder = { config, database, log: createLog("silent") };
  const arrival = { requestId: "r", address: "", transport: "command" } as const;
  expect(await resetPassword(recorder, "nobody@example.com", arrival)).toBeUndefined();
  const next = (await resetPassword(recorder, email.toUpperCase(), arrival)) ?? "";
  expect(next).toMatch(/^[\w-]{20}$/);
  expect((await refresh(service.url, refreshToken)).json).toMatchObject({ error: "invalid_grant" });
  await expect(signIn(service.url, { email, password: PASSWORD })).rejects.toThrow(
    "Incorrect email or password.",
  );
  const { accessToken: renewed } = await signIn(service.url, { email, password: next });
  expect(decodeJwt(renewed).sub).toBe(decodeJwt(accessToken).sub);
  const entries = await database.query<{ entry: string }>(
    "select entry from audit_entries where action = 'password.reset'",
  );
  expect(entries).toHaveLength(1);
  expect(entries[0]?.entry).not.toContain(next);
  expect(JSON.parse(entries[0]?.entry ?? "{}")).not.toHaveProperty("actor");
});
