import { request as httpRequest, type ClientRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

import { passwordsCost, startProvider, type Running } from "../testing/provider";
import { authorization, Browser, openSignIn, signUp } from "../platform/oidc/testing";

const PERSON = { email: "ada@example.com", password: "correct horse battery" };
let service: Running;
/** A browser in which the person has signed in before. */
let known: Browser;

beforeAll(async () => {
  service = await startProvider({ variables: { TRUST_PROXY: "1" } });
  // This test is about the real cost of passwords.
  passwordsCost("all");
  known = (await signUp(service.url, PERSON)).browser;
});
afterAll(async () => {
  await service.close();
  passwordsCost("little");
});

/** CPU time of this process in milliseconds: the cost of work, however busy the machine is. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const { user, system } = process.cpuUsage();
  await work();
  const after = process.cpuUsage();
  return (after.user - user + after.system - system) / 1000;
}

/** Signs in with the right password; returns the HTTP status. */
async function signsIn(browser?: Browser): Promise<number> {
  const { page, ...opened } = await openSignIn(service.url, { prompt: "login" }, browser);
  return (await opened.browser.submit(page.url, PERSON, { "x-forwarded-for": "10.9.9.9" })).status;
}

/** Sends a guess for a new account from a new address, without reading the response. */
async function guess(turn: number): Promise<ClientRequest> {
  const { browser, page } = await openSignIn(service.url);
  const { hostname, port, pathname, origin } = new URL(page.url);
  const headers = {
    origin,
    cookie: browser.cookies.map((name) => `${name}=${browser.cookie(name)}`).join("; "),
    "content-type": "application/x-www-form-urlencoded",
    "x-forwarded-for": `10.0.${Math.floor(turn / 200)}.${turn % 200}`,
  };
  const request = httpRequest({ hostname, port, path: pathname, method: "POST", headers });
  request.on("error", () => {}).on("response", (response) => response.resume());
  request.end(new URLSearchParams({ email: `guess-${turn}@example.com`, password: "wrong" }).toString());
  return request;
}

const GUESSES = 100;

test("a hundred sign-ins that their clients leave cost a fraction of a hundred passwords", async () => {
  const peace = await cost(() => signsIn());
  const visits = await cost(async () => {
    for (let turn = 0; turn < GUESSES; turn += 1) await openSignIn(service.url);
  });
  const attack = await cost(async () => {
    const requests: ClientRequest[] = [];
    for (let turn = 0; turn < GUESSES; turn += 1) requests.push(await guess(turn));
    await pause(20);
    for (const request of requests) request.destroy();
    // Queued after all hashes still in progress.
    while ((await signsIn(known)) === 503) await pause(50);
  });
  const passwords = Math.round((attack - visits) / peace);
  process.stdout.write(`${GUESSES} sign-ins that were left cost as much as ${passwords} that were not\n`);
  expect(passwords).toBeLessThan(GUESSES / 2);
}, 240_000);

test("what a thousand anonymous visits leave behind is bounded", async () => {
  const size = async (): Promise<number> => {
    const [row] = await service.database.query<{ bytes: number }>(
      "select coalesce(sum(octet_length(payload)), 0)::int as bytes from provider_records",
    );
    return row?.bytes ?? 0;
  };
  const before = await size();
  for (let turn = 0; turn < 1_000; turn += 1)
    await new Browser().get(authorization(service.url, { state: "s".repeat(12_000) }).url);
  const written = (await size()) - before;
  process.stdout.write(`a thousand visits with 12 kB each left ${(written / 1e6).toFixed(1)} MB\n`);
  expect(written).toBeLessThan(100_000);
  // Parameters of maximum length.
  const longest = { state: "\0".repeat(666), nonce: "\0".repeat(666), login_hint: "\0".repeat(666) };
  const [from] = [await size()];
  for (let turn = 0; turn < 100; turn += 1)
    await new Browser().get(authorization(service.url, { ...longest, ui_locales: "\0".repeat(500) }).url);
  expect(((await size()) - from) / 100).toBeLessThan(20_000);
}, 240_000);
