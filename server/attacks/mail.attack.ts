import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Browser, openSignIn, signUp } from "../platform/oidc/testing";
import { startMailServer, type MailServer } from "../testing/mail-server";
import { passwordsCost, startProvider, type Running } from "../testing/provider";

const VICTIM = { email: "victim@example.com", password: "correct horse battery" };
let server: MailServer;
let service: Running;

beforeAll(async () => {
  server = await startMailServer();
  service = await startProvider({
    variables: { SMTP_URL: server.url, MAIL_FROM: "console@platform.example", TRUST_PROXY: "1" },
  });
  await signUp(service.url, VICTIM);
  await server.until(1);
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

const network = (turn: number) => ({ "x-forwarded-for": `10.${Math.floor(turn / 200)}.${turn % 200}.1` });

async function ask(turn: number, email: string): Promise<number> {
  const { browser, page } = await openSignIn(service.url);
  return (await browser.submit(`${page.url}/forgot-password`, { email }, network(turn))).status;
}

const rows = async (table: string): Promise<number> =>
  (await service.database.query(`select 1 from ${table}`)).length;

test("four hundred networks that ask for one address send its owner three mails at most", async () => {
  await service.database.query("delete from mail_allowances");
  const before = server.received.length;
  const statuses: number[] = [];
  for (let turn = 0; turn < 400; turn += 4)
    statuses.push(
      ...(await Promise.all(
        // In every spelling that is the same address.
        ["victim@example.com", "VICTIM@example.com", " victim@EXAMPLE.com ", "Victim@Example.Com"].map(
          (email, each) => ask(turn + each, email),
        ),
      )),
    );
  await expect.poll(() => rows("mail_outbox"), { timeout: 20_000 }).toBe(0);
  const mails = server.received.length - before;
  process.stdout.write(`400 requests for one address: ${mails} mails\n`);
  expect(mails).toBe(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(397);
  expect(await rows("account_links")).toBeLessThan(10);
}, 240_000);

test("one network that asks for four hundred addresses makes twenty mails wait at most", async () => {
  await service.database.query("delete from mail_allowances");
  const before = server.received.length;
  const { browser, page } = await openSignIn(service.url);
  let taken = 0;
  for (let turn = 0; turn < 400; turn += 1) {
    const fields = { email: `nobody-${turn}@example.com` };
    const { status } = await browser.submit(`${page.url}/forgot-password`, fields, {
      "x-forwarded-for": "10.99.1.1",
    });
    if (status === 200) taken += 1;
  }
  expect(taken).toBe(20);
  // Those without an account get none.
  await expect.poll(() => rows("mail_outbox"), { timeout: 20_000 }).toBe(0);
  expect(server.received.length).toBe(before);
}, 240_000);

test("two hundred invented links cost less than ten passwords, and nothing is hashed for them", async () => {
  passwordsCost("all");
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    const { user, system } = process.cpuUsage();
    await work();
    const after = process.cpuUsage();
    return (after.user - user + after.system - system) / 1000;
  };
  try {
    const one = await cost(async () => {
      const { browser, page } = await openSignIn(service.url);
      await browser.submit(page.url, { email: "nobody@example.com", password: "wrong password" });
    });
    const all = await cost(async () => {
      for (let turn = 0; turn < 200; turn += 1) {
        const token = randomBytes(32).toString("base64url");
        const answer = await new Browser().submit(`${service.url}/oidc/account/reset-password`, {
          token,
          "new-password": "another good password",
        });
        expect(answer.status).toBe(410);
      }
    });
    process.stdout.write(`200 invented links cost as much as ${(all / one).toFixed(1)} passwords\n`);
    expect(all / one).toBeLessThan(10);
  } finally {
    passwordsCost("little");
  }
}, 240_000);
