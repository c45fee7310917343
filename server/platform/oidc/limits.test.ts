import { request as httpRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { movableClock, passwordsCost, startProvider, type Running } from "../../testing/provider";
import { ClientLeft, HASHES_AT_ONCE } from "./hash-queue";
import { createAccount } from "./accounts";
import { hashPassword } from "./passwords";
import { authorization, Browser, openSignIn, signIn, signUp } from "./testing";
import { TryAgain } from "./try-again";

const PASSWORD = "correct horse battery";
const clock = movableClock();
let service: Running;

beforeAll(async () => {
  service = await startProvider({ now: clock.now, variables: { TRUST_PROXY: "1", SIGN_UP_LIMIT: "20" } });
  await signUp(service.url, { email: "ada@example.com", password: PASSWORD });
});
beforeEach(() => service.database.query("delete from sign_in_failures"));
afterAll(() => service.close());

const records = async (): Promise<number> =>
  (await service.database.query("select id from provider_records")).length;
const failures = () =>
  service.database.query("select key, failures from sign_in_failures where failures > 0");

/** Starts as many password checks as run at once and queues others until `leave` is called. */
function fillQueue(waiting = 20) {
  passwordsCost("all");
  const clients = Array.from({ length: HASHES_AT_ONCE + waiting }, () => new AbortController());
  const all = Promise.allSettled(clients.map(({ signal }) => hashPassword("x", signal)));
  // Later checks are cheap.
  passwordsCost("little");
  return { all, leave: () => clients.forEach((client) => client.abort()) };
}

test("the queue for passwords ends at twenty, and nobody is hashed for a client that has left", async () => {
  const { all, leave } = fillQueue();
  await expect(hashPassword("x")).rejects.toThrow(TryAgain);
  leave();
  const outcomes = await all;
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(HASHES_AT_ONCE);
  for (const outcome of outcomes.slice(HASHES_AT_ONCE))
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ClientLeft) });
  // Their places are free again, and a client that has already left takes none.
  await expect(hashPassword("x", AbortSignal.abort())).rejects.toThrow(ClientLeft);
  await expect(hashPassword("x")).resolves.toMatch(/^scrypt/);
});

test("a sign-in that finds the queue full is asked to come again, and does not count", async () => {
  const { browser, page } = await openSignIn(service.url);
  const form = { email: "ada@example.com", password: PASSWORD };
  const { all, leave } = fillQueue();
  const answer = await browser.submit(page.url, form);
  leave();
  await all;
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(answer.body).toContain("Too many people are signing in right now. Try again in 5 seconds.");
  expect(answer.body).toContain('value="ada@example.com"');
  expect(await failures()).toEqual([]);
  expect((await browser.submit(page.url, form)).status).toBe(303);
  const other = await openSignIn(service.url);
  const queue = fillQueue();
  const created = await other.browser.submit(`${other.page.url}/create-account`, {
    ...form,
    email: "bo@example.com",
    name: "",
  });
  queue.leave();
  await queue.all;
  expect(created.status).toBe(503);
});

test("more requests of one address than can wait are told when to come again, and others are answered", async () => {
  const { url } = authorization(service.url);
  let answered = 0;
  const ask = async (address: string, accept: string) => {
    const answer = await fetch(url, { redirect: "manual", headers: { "x-forwarded-for": address, accept } });
    if (answer.status === 303) answered += 1;
    return answer;
  };
  const crowd = Array.from({ length: 150 }, (_, turn) =>
    ask("10.0.7.1", turn % 2 === 0 ? "text/html" : "application/json"),
  );
  expect((await ask("10.0.7.2", "text/html")).status).toBe(303);
  // It did not wait for the crowd, of which a hundred wait.
  expect(answered).toBeLessThan(50);
  const answers = await Promise.all(crowd);
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 303).length + refused.length).toBe(150);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(headers.get("retry-after")).toBe("2");
  const texts = await Promise.all(refused.map((answer) => answer.text()));
  expect(texts.some((text) => text.includes("<h1>Too many people are signing in right now</h1>"))).toBe(true);
  expect(texts).toContain(
    '{"error":"temporarily_unavailable","error_description":"Try again in 2 seconds."}',
  );
});

test("a body that does not come holds up nobody", async () => {
  const { hostname, port, pathname } = new URL(`${service.url}/oidc/token`);
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "100" };
  const open = Array.from({ length: 8 }, (_, index) => {
    const request = httpRequest({
      hostname,
      port,
      path: pathname,
      method: "POST",
      headers: { ...headers, "x-forwarded-for": `10.0.8.${index % 4}` },
    });
    request.on("error", () => {}).flushHeaders();
    return request;
  });
  const { page } = await openSignIn(service.url);
  expect(page.status).toBe(200);
  for (const request of open) request.destroy();
});

test("a sign-in whose client leaves the queue does not count either, and gives its place back", async () => {
  const { browser, page } = await openSignIn(service.url);
  const { all, leave } = fillQueue(19);
  const { hostname, port, pathname, origin } = new URL(page.url);
  const request = httpRequest({
    hostname,
    port,
    path: pathname,
    method: "POST",
    headers: {
      origin,
      cookie: browser.cookies.map((name) => `${name}=${browser.cookie(name)}`).join("; "),
      "content-type": "application/x-www-form-urlencoded",
    },
  }).on("error", () => {});
  request.end(new URLSearchParams({ email: "ada@example.com", password: "a wrong guess" }).toString());
  while ((await failures()).length === 0) await pause(5);
  request.destroy();
  while ((await failures()).length > 0) await pause(5);
  leave();
  await all;
});

test("one address makes twenty accounts, then ever fewer; those of others are not held against it", async () => {
  const create = async (turn: number, address: string) => {
    const { browser, page } = await openSignIn(service.url);
    const form = { email: `many-${turn}-${address}@example.com`, name: "", password: PASSWORD };
    return (await browser.submit(`${page.url}/create-account`, form, { "x-forwarded-for": address })).status;
  };
  const made: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) made.push(await create(turn, "10.0.0.1"));
  expect(made.filter((status) => status === 303)).toHaveLength(21);
  expect(made.at(-1)).toBe(429);
  expect(await create(0, "10.0.0.2")).toBe(303);
  clock.forward(1);
  expect([await create(41, "10.0.0.1"), await create(42, "10.0.0.1")]).toEqual([303, 429]);
  // Signing in from the address still works.
  const { browser, page } = await openSignIn(service.url);
  const form = { email: "ada@example.com", password: PASSWORD };
  expect((await browser.submit(page.url, form, { "x-forwarded-for": "10.0.0.1" })).status).toBe(303);
  clock.forward(24 * 3600 + 1);
  expect([await create(43, "10.0.0.1"), await create(44, "10.0.0.1")]).toEqual([303, 303]);
});

test("a request to sign in that is longer than any is refused and leaves nothing behind", async () => {
  const before = await records();
  const visit = (more: Readonly<Record<string, string>>) =>
    new Browser().get(authorization(service.url, more).url);
  const parts = { state: "s".repeat(2_000), nonce: "n".repeat(2_000), login_hint: "h".repeat(2_000) };
  for (const more of [
    { state: "s".repeat(2_001) },
    { state: "\u00e4".repeat(1_001) },
    { ui_locales: "x".repeat(9_000) },
    { ...parts, acr_values: "a".repeat(2_000), ui_locales: "l".repeat(2_000) },
    { ["x".repeat(2_001)]: "1" },
  ]) {
    const answer = await visit(more);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.body).toContain("This sign-in request is too long");
  }
  // It would be stored as long as a session.
  const leaving = `${service.url}/oidc/session/end?state=${"s".repeat(2_001)}`;
  expect((await new Browser().get(leaving)).status).toBe(400);
  expect(await records()).toBe(before);
  expect((await visit(parts)).status).toBe(303);
  // It cannot be posted as a form.
  const [address = "", query] = authorization(service.url).url.split("?");
  const form = new URLSearchParams(query);
  expect((await new Browser().request(address, { method: "POST", body: form })).status).toBe(404);
});

test("the demo's password opens nothing that the network can reach, and nobody chooses it", async () => {
  const reachable = await startProvider({ variables: { HOST: "0.0.0.0", SIGN_UP: "open", SEED: "demo" } });
  try {
    const person = { email: "demo@example.com", password: "platform-demo" };
    const { browser, page } = await openSignIn(reachable.url);
    const refused = await browser.submit(`${page.url}/create-account`, { ...person, name: "" });
    expect(refused.body).toContain("Choose another password. This one is published in the README.");
    await createAccount(reachable, person);
    await createAccount(reachable, { ...person, email: "viewer@demo.example" });
    expect((await openSignIn(reachable.url)).page.body).not.toContain("Demo accounts");
    await expect(signIn(reachable.url, person)).rejects.toThrow("refused (200)");
  } finally {
    await reachable.close();
  }
});
