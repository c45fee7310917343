import { afterAll, beforeAll, expect, test } from "vitest";

import { addApp, addPasskey, askedIn, Passkey, passPassword } from "../platform/oidc/factors/testing";
import { Browser, openSignIn, signUp } from "../platform/oidc/testing";
import type { Database } from "../platform/store/database";
import { migrate } from "../platform/store/migrate";
import { openPostgres } from "../platform/store/postgres";
import { startMailServer, type MailServer } from "../testing/mail-server";
import { databaseOn, startPostgres, type TemporaryPostgres } from "../testing/postgres";
import { startProvider, type Running } from "../testing/provider";

const PASSWORD = "correct horse battery";
let people = 0;
const person = () => ({ email: `victim-${++people}@example.com`, password: PASSWORD });

let postgres: TemporaryPostgres;
let place: Awaited<ReturnType<typeof databaseOn>>;
let database: Database;
let mails: MailServer;
const services: Partial<Record<"embedded" | "postgres", Running>> = {};
const on = (kind: "embedded" | "postgres"): Running => services[kind]!;

beforeAll(async () => {
  mails = await startMailServer();
  postgres = await startPostgres();
  place = await databaseOn(postgres.url);
  database = await openPostgres(place.url);
  await migrate(database);
  const variables = {
    SMTP_URL: mails.url,
    MAIL_FROM: "console@platform.example",
    TRUST_PROXY: "1",
    SIGN_UP_LIMIT: "0",
  };
  services.embedded = await startProvider({ host: "localhost", variables });
  services.postgres = await startProvider({ host: "localhost", variables, database });
});
afterAll(async () => {
  for (const service of Object.values(services)) await service.close();
  await database?.close();
  await place?.stop();
  await postgres?.stop();
  await mails?.stop();
});

const KINDS = ["embedded", "postgres"] as const;

test.each(KINDS)("one recovery code in eight sign-ins at the same time opens one (%s)", async (kind) => {
  const { url } = on(kind);
  const ada = person();
  const { browser } = await signUp(url, ada);
  const { codes } = await addApp(url, browser, { password: PASSWORD, at: new Date() });
  for (const code of codes.slice(0, 3)) {
    const tabs = await Promise.all(Array.from({ length: 8 }, () => passPassword(url, ada)));
    const sent = await Promise.all(
      tabs.map((tab) =>
        tab.browser.submit(tab.answer.url.replace("second-factor", "recovery-code"), { code }),
      ),
    );
    expect(sent.filter(({ status }) => status === 303)).toHaveLength(1);
    await on(kind).database.query("delete from sign_in_failures");
  }
  const left = await on(kind).database.query(
    "select 1 from recovery_codes c join accounts a using (subject) where a.email = $1 and c.used_at is null",
    [ada.email],
  );
  expect(left).toHaveLength(7);
});

test("a signature over the challenge of another account's sign-in opens neither of the two", async () => {
  const { url } = on("embedded");
  const two = await Promise.all(
    [person(), person()].map(async (who) => {
      const { browser } = await signUp(url, who);
      const passkey = new Passkey(new URL(url).origin);
      await addPasskey(url, browser, { password: PASSWORD, passkey });
      return { ...(await passPassword(url, who)), passkey };
    }),
  );
  const [ada, eve] = two;
  if (!ada || !eve) throw new Error("there are two");
  const [asksAda, asksEve] = [askedIn(ada.answer.body), askedIn(eve.answer.body)];
  const send = async (to: typeof ada, credential: string) =>
    (await to.browser.submit(`${to.page.url}/passkey`, { credential })).status;
  // Own passkey, the other's challenge; then the other's passkey, with either challenge.
  expect(await send(ada, ada.passkey.sign(asksEve))).toBe(200);
  expect(await send(eve, eve.passkey.sign(asksAda))).toBe(200);
  expect(await send(ada, eve.passkey.sign(asksAda))).toBe(200);
  expect(await send(ada, eve.passkey.sign(asksEve))).toBe(200);
  // The page has a new challenge after each, and works.
  const again = await ada.browser.get(ada.answer.url);
  expect(await send(ada, ada.passkey.sign(askedIn(again.body)))).toBe(303);
});

/** Asks for a new password, and returns the links to the address once there are this many. */
async function ask({ url }: Running, email: string, count: number, headers: Record<string, string> = {}) {
  const { browser, page } = await openSignIn(url, { prompt: "login" });
  await browser.submit(`${page.url}/forgot-password`, { email }, headers);
  return linksTo(email, count);
}

async function linksTo(email: string, count: number): Promise<string[]> {
  const found = () =>
    mails.received.filter(({ to, subject }) => to === email && subject.startsWith("Reset your password"));
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(count);
  return found().map(({ link }) => link);
}

const reset = async (link: string, password: string): Promise<number> => {
  const { origin, pathname, searchParams } = new URL(link);
  const fields = { token: searchParams.get("token") ?? "", "new-password": password };
  return (await new Browser().submit(`${origin}${pathname}`, fields)).status;
};

test.each(KINDS)(
  "of two links for one account that are used at the same time, one works (%s)",
  async (kind) => {
    const service = on(kind);
    for (let turn = 0; turn < 3; turn += 1) {
      const ada = person();
      await signUp(service.url, ada);
      await service.database.query("delete from mail_allowances");
      await ask(service, ada.email, 1);
      const links = await ask(service, ada.email, 2);
      const statuses = await Promise.all(links.map((link, at) => reset(link, `the password of link ${at}`)));
      expect(statuses.toSorted()).toEqual([200, 410]);
    }
  },
);

test("no header of a request gets a host into a mailed link", async () => {
  const service = on("embedded");
  const ada = person();
  await signUp(service.url, ada);
  await service.database.query("delete from mail_allowances");
  const evil = "evil.example";
  const links = await ask(service, ada.email, 1, {
    host: evil,
    "x-forwarded-host": evil,
    "x-forwarded-proto": "http",
    "x-forwarded-port": "81",
    forwarded: `host=${evil};proto=http`,
    "x-original-host": evil,
    referer: `http://${evil}/`,
  });
  expect(links[0]).toMatch(new RegExp(`^${service.url}/oidc/account/reset-password\\?token=`));
  expect(mails.received.filter(({ raw, text, html }) => `${raw}${text}${html}`.includes(evil))).toEqual([]);
});
