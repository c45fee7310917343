import { afterAll, beforeEach, beforeAll, expect, test } from "vitest";

import { movableClock, startProvider, type Running } from "../../testing/provider";
import { openSignIn, signUp } from "./testing";
import { createThrottle, type Throttle } from "./throttle";
import { TryAgain } from "./try-again";

const PASSWORD = "correct horse battery";
const clock = movableClock();
let service: Running;
let throttle: Throttle;

beforeAll(async () => {
  service = await startProvider({ now: clock.now, variables: { TRUST_PROXY: "1" } });
  throttle = createThrottle(service.database, clock.now, { signUps: 0 });
});
beforeEach(() => service.database.query("delete from sign_in_failures"));
afterAll(() => service.close());

/** Returns the seconds to wait, or 0 if the attempt was allowed; it then counts as failed. */
const attempt = (account: string, address: string): Promise<number> =>
  throttle.begin({ account, address }).then(
    () => 0,
    (error: unknown) => (error instanceof TryAgain ? error.seconds : Promise.reject(error)),
  );

test("failures at one account make the next attempt wait, ever longer, up to thirty seconds", async () => {
  const waits: number[] = [];
  // Each from another address: only the account counts.
  for (let turn = 1; waits.length < 7; turn += 1) {
    const wait = await attempt("ada@example.com", `10.0.0.${turn}`);
    if (wait > 0) waits.push(wait);
    clock.forward(wait);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
});

test("a success ends the account's count, and gives the address its own attempt back", async () => {
  for (let turn = 1; turn <= 30; turn += 1) {
    const { succeeded } = await throttle.begin({ account: "ada@example.com", address: "10.0.0.1" });
    await succeeded();
  }
  for (let turn = 1; turn <= 19; turn += 1) await attempt(`guess-${turn}@example.com`, "10.0.0.1");
  const { succeeded } = await throttle.begin({ account: "ada@example.com", address: "10.0.0.1" });
  await succeeded();
  // Signing in to their own account does not clear an attacker's guesses at others.
  expect(await attempt("guess-20@example.com", "10.0.0.1")).toBe(0);
  expect(await attempt("guess-21@example.com", "10.0.0.1")).toBe(0);
  expect(await attempt("guess-22@example.com", "10.0.0.1")).toBe(1);
  expect(await attempt("guess-22@example.com", "10.0.0.2")).toBe(0);
});

test("an attempt that was turned away does not count", async () => {
  for (let turn = 1; turn <= 4; turn += 1) await attempt("ada@example.com", "10.0.0.1");
  for (let turn = 1; turn <= 50; turn += 1) expect(await attempt("ada@example.com", "10.0.0.2")).toBe(1);
  clock.forward(1);
  expect(await attempt("ada@example.com", "10.0.0.2")).toBe(0);
  expect(await attempt("ada@example.com", "10.0.0.2")).toBe(2);
});

test("guesses side by side do not pass as one", async () => {
  const waits = await Promise.all(
    Array.from({ length: 12 }, (_, index) => attempt("eve@example.com", `10.0.4.${index}`)),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(4);
});

test("an attempt that brings no delay turns nobody away whose clock is behind", async () => {
  // Another process, or an attempt that waited for the first one's row.
  const behind = createThrottle(service.database, () => new Date(clock.now().getTime() - 3000), {
    signUps: 0,
  });
  const { succeeded } = await throttle.begin({ address: "10.0.0.1" });
  await behind.begin({ address: "10.0.0.1" });
  await succeeded();
  await behind.begin({ address: "10.0.0.1" });
  const last = await throttle.begin({ address: "10.0.0.1" });
  await last.succeeded();
  await expect(behind.begin({ address: "10.0.0.1" })).resolves.toBeDefined();
});

test("a quarter of an hour later nothing is held against anybody", async () => {
  for (let turn = 1; turn <= 6; turn += 1) {
    clock.forward(30);
    await attempt("ada@example.com", "10.0.0.1");
  }
  clock.forward(15 * 60 + 1);
  for (let turn = 1; turn <= 4; turn += 1) expect(await attempt("ada@example.com", "10.0.0.1")).toBe(0);
  await attempt("somebody@example.com", "10.0.0.9");
  const rows = await service.database.query("select key from sign_in_failures");
  expect(rows).toHaveLength(4);
});

test("an address that many people share forgets failures while they go on signing in", async () => {
  // One in ten passwords is mistyped, all day long.
  for (let turn = 1; turn <= 400; turn += 1) {
    clock.forward(10);
    const { succeeded } = await throttle.begin({ address: "10.0.5.1" });
    if (turn % 10 > 0) await succeeded();
  }
  // Guesses fill the count; their effect has ended a quarter of an hour later, although the others never paused.
  let guesses = 0;
  while ((await attempt(`guess-${guesses}@example.com`, "10.0.5.1")) === 0) guesses += 1;
  expect(guesses).toBeGreaterThan(10);
  for (let turn = 1; turn <= 30; turn += 1) {
    clock.forward(30);
    const { succeeded } = await throttle.begin({ address: "10.0.5.1" });
    await succeeded();
  }
  for (let turn = 1; turn <= 20; turn += 1)
    expect(await attempt(`mistyped-${turn}@example.com`, "10.0.5.1")).toBe(0);
});

test("guesses as fast as the delay allows stay at the longest delay", async () => {
  const waits: number[] = [];
  while (waits.length < 60) {
    const wait = await attempt("ada@example.com", `10.0.6.${waits.length}`);
    if (wait > 0) waits.push(wait);
    clock.forward(wait);
  }
  expect(new Set(waits.slice(6))).toEqual(new Set([30]));
});

test("the page says how long to wait; the right password waits too, and so does an unknown account", async () => {
  await signUp(service.url, { email: "ada@example.com", password: PASSWORD });
  for (const email of ["ada@example.com", "nobody@example.com"]) {
    for (let turn = 1; turn <= 4; turn += 1) await attempt(email, `10.0.0.${turn}`);
    const { browser, page } = await openSignIn(service.url);
    const from = { "x-forwarded-for": "6.6.6.6, 10.0.1.1" };
    const waiting = await browser.submit(page.url, { email, password: PASSWORD }, from);
    expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(waiting.body).toContain("Too many failed attempts. Try again in 1 second.");
    expect(waiting.body).toContain(`value="${email}"`);
    clock.forward(1);
    const answer = await browser.submit(page.url, { email, password: PASSWORD }, from);
    expect(answer.status).toBe(email.startsWith("ada") ? 303 : 200);
  }
});

test("trying out who has an account here counts as failing does", async () => {
  await signUp(service.url, { email: "taken@example.com", password: PASSWORD });
  for (let turn = 1; turn <= 20; turn += 1) await attempt("", "10.0.2.1");
  const { browser, page } = await openSignIn(service.url);
  const ask = () =>
    browser.submit(
      `${page.url}/create-account`,
      { email: "taken@example.com", name: "", password: PASSWORD },
      { "x-forwarded-for": "10.0.2.1" },
    );
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
});
