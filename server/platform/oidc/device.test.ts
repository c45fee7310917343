import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { movableClock, startProvider, type Running } from "../../testing/provider";
import { openSignIn, signIn, signUp, type Browser } from "./testing";

const PASSWORD = "correct horse battery";
const clock = movableClock();
let service: Running;

beforeAll(async () => {
  service = await startProvider({ now: clock.now, variables: { TRUST_PROXY: "1" } });
});
beforeEach(() => service.database.query("delete from sign_in_failures"));
afterAll(() => service.close());

/** Returns the status of one attempt: 303 signed in, 200 wrong password, 429 throttled. */
async function attempt(email: string, password: string, from: string, browser?: Browser): Promise<number> {
  const opened = await openSignIn(service.url, { prompt: "login" }, browser);
  const form = { email, password };
  return (await opened.browser.submit(opened.page.url, form, { "x-forwarded-for": from })).status;
}

/** Guesses as often as the throttle allows, each time from another address. */
async function attack(email: string, address: (turn: number) => string): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await attempt(email, "a wrong guess", address(turn));
}

test("who knows an email does not keep its owner out of the browser that they sign in with", async () => {
  const { browser } = await signUp(service.url, { email: "ada@example.com", password: PASSWORD });
  let entered = 0;
  await attack("ada@example.com", (guess) => `10.1.0.${guess}`);
  for (let turn = 0; turn < 20; turn += 1) {
    clock.forward(30);
    await attempt("ada@example.com", "a wrong guess", `10.1.${turn}.1`);
    if ((await attempt("ada@example.com", PASSWORD, "10.0.0.1", browser)) === 303) entered += 1;
  }
  expect(entered).toBe(20);
  // A browser that has never signed in still has to wait.
  expect(await attempt("ada@example.com", PASSWORD, "10.0.0.1")).toBe(429);
});

test("nor does who sits in the same office", async () => {
  const { browser } = await signUp(service.url, { email: "bo@example.com", password: PASSWORD });
  for (let turn = 0; turn < 25; turn += 1) await attempt(`guess-${turn}@example.com`, "wrong", "10.0.0.1");
  expect(await attempt("bo@example.com", PASSWORD, "10.0.0.1")).toBe(429);
  expect(await attempt("bo@example.com", PASSWORD, "10.0.0.1", browser)).toBe(303);
});

test("a browser has a count of its own, which failures use up and a success ends", async () => {
  const { browser } = await signUp(service.url, { email: "cy@example.com", password: PASSWORD });
  const guess = () => attempt("cy@example.com", "a wrong guess", "10.0.0.1", browser);
  expect([await guess(), await guess(), await guess(), await guess(), await guess()]).toEqual([
    200, 200, 200, 200, 429,
  ]);
  // Neither another browser nor the account's own count is affected.
  expect(await attempt("cy@example.com", PASSWORD, "10.0.0.2")).toBe(303);
  clock.forward(1);
  expect(await attempt("cy@example.com", PASSWORD, "10.0.0.1", browser)).toBe(303);
  expect(await guess()).toBe(200);
});

test("the cookie counts for those who have signed in with the browser, and for nobody else", async () => {
  const { browser } = await signUp(service.url, { email: "di@example.com", password: PASSWORD });
  await signUp(service.url, { email: "el@example.com", password: PASSWORD });
  await attack("el@example.com", (guess) => `10.2.0.${guess}`);
  expect(await attempt("el@example.com", PASSWORD, "10.0.0.1", browser)).toBe(429);
  clock.forward(30);
  expect(await attempt("el@example.com", PASSWORD, "10.0.0.1", browser)).toBe(303);
  await attack("el@example.com", (guess) => `10.2.1.${guess}`);
  await attack("di@example.com", (guess) => `10.2.2.${guess}`);
  // Now the browser knows both.
  expect(await attempt("el@example.com", PASSWORD, "10.0.0.1", browser)).toBe(303);
  expect(await attempt("di@example.com", PASSWORD, "10.0.0.1", browser)).toBe(303);
});

test("one that was made up, cut or taken apart counts as none, and outlives a restart otherwise", async () => {
  const { browser } = await signUp(service.url, { email: "fi@example.com", password: PASSWORD });
  const name = browser.cookies.find((cookie) => cookie.includes("device_")) ?? "";
  const value = browser.cookie(name);
  expect(value).toMatch(/^[\w-]{22}\.[\w-]{22}$/);
  expect(value).not.toContain("fi@");
  await attack("fi@example.com", (guess) => `10.3.0.${guess}`);
  const [nonce = "", mark = ""] = value.split(".");
  for (const made of [
    nonce,
    `${nonce}.`,
    `.${mark}`,
    `${mark}.${nonce}`,
    `${"A".repeat(22)}.${mark}`,
    "%00",
    "x".repeat(4_000),
  ]) {
    browser.setCookie(name, made);
    expect(await attempt("fi@example.com", PASSWORD, "10.0.0.1", browser)).toBe(429);
  }
  browser.setCookie(name, value);
  await service.restart();
  expect(await attempt("fi@example.com", PASSWORD, "10.0.0.1", browser)).toBe(303);
});

test("signing in anew adds nothing to a browser that is known, and it remembers five people at most", async () => {
  const { browser } = await signUp(service.url, { email: "gus@example.com", password: PASSWORD });
  const name = browser.cookies.find((cookie) => cookie.includes("device_")) ?? "";
  expect(await attempt("gus@example.com", PASSWORD, "10.0.0.1", browser)).toBe(303);
  expect(browser.cookie(name).split(".")).toHaveLength(2);
  for (let turn = 0; turn < 6; turn += 1) {
    const email = `gus-${turn}@example.com`;
    await signUp(service.url, { email, password: PASSWORD });
    expect(await attempt(email, PASSWORD, "10.0.0.1", browser)).toBe(303);
  }
  expect(browser.cookie(name).split(".")).toHaveLength(6);
  await signIn(service.url, { email: "gus@example.com", password: PASSWORD });
});
