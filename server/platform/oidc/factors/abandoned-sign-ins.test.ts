import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, test } from "vitest";

import { SIGN_INS, type SignIn } from "../../../sign-ins";
import { movableClock, startProvider, type Running } from "../../../testing/provider";
import { openSignIn, signUp } from "../testing";
import { addApp, codeOf, passPassword } from "./testing";

const PASSWORD = "correct horse battery";
const ADA = { email: "ada@example.com", password: PASSWORD };
const clock = movableClock();
let service: Running;
let secret: string;
const told: SignIn[] = [];
const tell = (message: unknown) => void told.push(message as SignIn);

beforeAll(async () => {
  subscribe(SIGN_INS, tell);
  service = await startProvider({ now: clock.now, variables: { TRUST_PROXY: "1" } });
  const { browser } = await signUp(service.url, ADA);
  ({ secret } = await addApp(service.url, browser, { password: PASSWORD, at: clock.now() }));
  clock.forward(60);
});
afterAll(async () => {
  unsubscribe(SIGN_INS, tell);
  await service.close();
});

/** The entries with this reason. */
async function entries(reason: string) {
  const rows = await service.database.query<{ entry: string }>(
    "select entry from audit_entries order by sequence",
  );
  const all = rows.map(({ entry }) => JSON.parse(entry) as Record<string, unknown>);
  return all.filter((entry) => entry["reason"] === reason);
}

const missing = () => entries("SECOND_FACTOR_MISSING");

test("a right password that no second factor follows is an entry and counts, one that it follows is not", async () => {
  const { browser, page } = await openSignIn(service.url, { prompt: "login" });
  await browser.submit(page.url, ADA, { "x-forwarded-for": "192.0.2.7" });
  const other = await passPassword(service.url, ADA);
  await other.enter(await other.browser.submit(other.answer.url, { code: codeOf(secret, clock.now()) }));
  // There is time left.
  clock.forward(15 * 60);
  await openSignIn(service.url);
  expect(await missing()).toEqual([]);
  told.length = 0;
  clock.forward(16 * 60);
  await openSignIn(service.url);
  await expect.poll(missing).toHaveLength(1);
  expect(await missing()).toMatchObject([
    {
      action: "signIn.password",
      outcome: "OUTCOME_REFUSED",
      record: { kind: "identities" },
      request: { address: "192.0.2.7" },
    },
  ]);
  expect((await missing())[0]).not.toHaveProperty("actor");
  expect(told).toEqual([{ act: "signIn.password", refused: true }]);
  clock.forward(31 * 60);
  await openSignIn(service.url);
  expect(await missing()).toHaveLength(1);
});

test("guesses that have to wait are an entry, one a minute, and all count", async () => {
  const { browser, answer } = await passPassword(service.url, ADA);
  const guess = async () => (await browser.submit(answer.url, { code: "000000" })).status;
  for (let turn = 0; turn < 6; turn += 1) expect(await guess()).toBe(200);
  told.length = 0;
  for (let turn = 0; turn < 3; turn += 1) expect(await guess()).toBe(429);
  expect(told).toEqual(Array.from({ length: 3 }, () => ({ act: "signIn.passwordApp", refused: true })));
  expect(await entries("TOO_MANY_ATTEMPTS")).toMatchObject([
    { action: "signIn.passwordApp", outcome: "OUTCOME_REFUSED" },
  ]);
  clock.forward(61);
  for (let turn = 0; turn < 3; turn += 1) await guess();
  expect(await entries("TOO_MANY_ATTEMPTS")).toHaveLength(2);
});
