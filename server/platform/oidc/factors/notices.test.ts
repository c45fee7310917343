import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createLog } from "../../../log";
import { createPost } from "../../mail/post";
import { startMailServer, type MailServer } from "../../../testing/mail-server";
import { movableClock, startProvider, type Running } from "../../../testing/provider";
import { resetPassword } from "../password-reset";
import { signUp } from "../testing";
import { tellOwner } from "./notices";
import { resetFactors } from "./reset";
import { addApp, addPasskey, codesIn, confirmed, Passkey, passPassword } from "./testing";

const PASSWORD = "correct horse battery";
const FROM = { "x-forwarded-for": "192.0.2.7" };
const clock = movableClock();
let people = 0;
const person = () => ({ email: `notice-${++people}@example.com`, password: PASSWORD });

let server: MailServer;
let service: Running;
beforeAll(async () => {
  server = await startMailServer();
  service = await startProvider({
    host: "localhost",
    now: clock.now,
    variables: {
      SMTP_URL: server.url,
      MAIL_FROM: "console@platform.example",
      TRUST_PROXY: "1",
      SUPPORT_URL: "https://help.example/console",
    },
  });
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

const told = (email: string) =>
  server.received.filter(({ to, subject }) => to === email && subject.startsWith("Your second factors"));

/** The newest mail of this many about factors. */
async function nth(email: string, count: number): Promise<string> {
  await expect.poll(() => told(email).length, { timeout: 20_000 }).toBe(count);
  return told(email).at(-1)?.text ?? "";
}

/** What a command of the operator has: it stores mails, and the service finds them later. */
const command = () => ({
  config: service.config,
  database: service.database,
  log: createLog("silent"),
  mail: createPost(() => {}),
});
const arrival = () => ({ requestId: randomUUID(), address: "", transport: "command" }) as const;
const reset = (email: string) => resetFactors(command(), email, arrival());

/** Any change that somebody makes on a page has the service look. */
async function look(): Promise<void> {
  const { browser } = await signUp(service.url, person());
  await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
}

test("the owner is told what was added, made anew, used and removed, from where, and whom to ask", async () => {
  const ada = person();
  const { email } = ada;
  const { browser } = await signUp(service.url, ada);
  await addApp(service.url, browser, { password: PASSWORD, at: clock.now(), name: "Phone" });
  const app = await nth(email, 1);
  expect(app).toMatch(
    new RegExp(
      `^The authenticator app "Phone" was added to the account ${email} on .+ UTC, from the address `,
    ),
  );
  expect(app).toContain("Tell support at once: https://help.example/console");
  expect(app).toContain(`See your second factors:\n${service.url}/oidc/account/security`);

  await addPasskey(service.url, browser, {
    password: PASSWORD,
    passkey: new Passkey(new URL(service.url).origin),
    name: "https://evil.example/login",
  });
  const passkey = await nth(email, 2);
  expect(passkey).toContain(`was added to the account ${email} on `);
  expect(passkey).not.toContain("evil.example");

  const at = `${service.url}/oidc/account/security`;
  await confirmed(browser, `${at}/recovery-codes`, PASSWORD);
  const made = await browser.submit(`${at}/recovery-codes`, {}, FROM);
  expect(await nth(email, 3)).toMatch(/^New recovery codes .+, from the address 192\.0\.2\.7\. The earlier/);

  const second = await passPassword(service.url, ada);
  const recovery = second.answer.url.replace("second-factor", "recovery-code");
  await second.browser.submit(recovery, { code: "0000-0000-0000-0000" }, FROM);
  await second.browser.submit(recovery, { code: codesIn(made.body)[0] ?? "" }, FROM);
  expect(await nth(email, 4)).toMatch(/ was used to sign in .+ 192\.0\.2\.7\. Unused codes left: 9\./);

  const [uid = ""] = /(?<=factor\/)[0-9a-f]{40}/.exec((await browser.get(at)).body) ?? [];
  await browser.submit(`${at}/factor/${uid}`, { name: "Old phone" });
  await browser.submit(`${at}/factor/${uid}`, { remove: "1" }, FROM);
  const removed = await nth(email, 5);
  expect(removed).toMatch(/^The second factor "Old phone" .+ was removed on .+ 192\.0\.2\.7\.\n/);
});

test("an administrator's reset is told without an address", async () => {
  const bob = person();
  const { browser } = await signUp(service.url, bob);
  await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  await nth(bob.email, 1);
  expect(await reset(bob.email)).toBe(1);
  await look();
  const text = await nth(bob.email, 2);
  expect(text).toMatch(
    /^An administrator removed all second factors .+ UTC\. It is signed out everywhere\.\n/,
  );
  expect(text).not.toContain("from the address");
});

test("notices of factors are bounded, and keep no other notice from being told", async () => {
  const eve = person();
  await signUp(service.url, eve);
  for (let turn = 0; turn < 8; turn += 1) await reset(eve.email);
  await resetPassword(command(), eve.email, arrival());
  await look();
  const password = () =>
    server.received.filter(({ to, subject }) => to === eve.email && subject.startsWith("Your password"));
  await expect.poll(() => password().length, { timeout: 20_000 }).toBe(1);
  expect(await nth(eve.email, 5)).toContain("An administrator removed");
});

test("a person who has no account yet is not told: the address can be another's", async () => {
  const email = "pending@example.com";
  await service.database.query(
    `insert into pending_accounts (subject, email, name, password, created_at)
     values ('pending', $1, '', 'x', now())`,
    [email],
  );
  const notifying = { mail: createPost(() => {}), from: "192.0.2.7" };
  await tellOwner(service.database, notifying, "pending", { change: "appAdded", name: "Phone" });
  expect(await service.database.query("select 1 from mail_outbox where address = $1", [email])).toEqual([]);
});

test("without SMTP_URL nothing is stored", async () => {
  const quiet = await startProvider({ now: clock.now });
  try {
    const { browser } = await signUp(quiet.url, person());
    await addApp(quiet.url, browser, { password: PASSWORD, at: clock.now() });
    expect(await quiet.database.query("select 1 from mail_outbox")).toEqual([]);
  } finally {
    await quiet.close();
  }
});
