import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startMailServer, type MailServer } from "../../testing/mail-server";
import { startProvider, type Running } from "../../testing/provider";
import { Browser, openSignIn, refresh, signIn, signUp } from "./testing";

const PASSWORD = "correct horse battery";
const NEXT = "another good password";

let server: MailServer;
let service: Running;
beforeAll(async () => {
  server = await startMailServer();
  service = await startProvider({
    variables: { SMTP_URL: server.url, MAIL_FROM: "Console <console@platform.example>", TRUST_PROXY: "1" },
  });
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

let people = 0;
const person = () => ({ email: `person-${(people += 1)}@example.com`, password: PASSWORD });
/** Each request from a network of its own, unless a test is about that. */
let networks = 0;
const network = () => ({ "x-forwarded-for": `10.1.${Math.floor((networks += 1) / 250)}.${networks % 250}` });

/** Asks for a link, as a stranger. */
async function forget(email: string, headers: Record<string, string> = network(), browser?: Browser) {
  const { browser: own, page } = await openSignIn(service.url, { prompt: "login" }, browser);
  return own.submit(`${page.url}/forgot-password`, { email }, headers);
}

/** The mails to an address with this subject, once there are as many. */
async function mails(to: string, subject: string, count = 1) {
  const found = () => server.received.filter((mail) => mail.to === to && mail.subject.startsWith(subject));
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(count);
  return found();
}
const linkTo = async (email: string, count = 1) => (await mails(email, "Reset", count)).at(-1)?.link ?? "";

const reset = (link: string, password: string, browser = new Browser()) => {
  const { origin, pathname, searchParams } = new URL(link);
  return browser.submit(`${origin}${pathname}`, {
    token: searchParams.get("token") ?? "",
    "new-password": password,
  });
};

test("a mailed link sets a new password once, ends every session, and tells the owner", async () => {
  const ada = person();
  const { refreshToken } = await signUp(service.url, ada);
  const asked = await forget(ada.email.toUpperCase());
  expect(asked.status).toBe(200);
  expect(asked.body).toContain("Check your mail");
  const link = await linkTo(ada.email);
  expect(link).toMatch(new RegExp(`^${service.url}/oidc/account/reset-password\\?token=[\\w-]{43}$`));
  // A program that checks links uses nothing up.
  const browser = new Browser();
  for (const _ of [1, 2]) expect((await browser.get(link)).body).toContain(`For ${ada.email}`);
  const short = await reset(link, "short");
  expect(short.body).toContain("Use at least 10 characters.");
  const done = await reset(link, NEXT, browser);
  expect([done.status, done.body]).toEqual([200, expect.stringContaining("Sign in with the new password.")]);
  // It does not sign in: that is for the password, and for a second factor.
  expect(browser.cookies).toEqual([]);
  expect((await refresh(service.url, refreshToken)).json).toMatchObject({ error: "invalid_grant" });
  await expect(signIn(service.url, ada)).rejects.toThrow("Incorrect email or password.");
  const { idToken } = await signIn(service.url, { ...ada, password: NEXT });
  expect(decodeJwt(idToken)).toMatchObject({ email: ada.email, email_verified: true });
  const [told] = await mails(ada.email, "Your password was changed");
  expect(told?.text).toContain(`The password of the account ${ada.email} was changed on `);
  for (const answer of [await browser.get(link), await reset(link, "a third password")])
    expect([answer.status, answer.body]).toEqual([410, expect.stringContaining("This link no longer works")]);
  expect(
    await service.database.query("select 1 from audit_entries where entry like '%password.reset%'"),
  ).toHaveLength(1);
});

test("neither a link nor its token is in the database, before and after it is sent", async () => {
  const ada = person();
  await signUp(service.url, ada);
  await forget(ada.email);
  const token = new URL(await linkTo(ada.email)).searchParams.get("token") ?? "";
  for (const table of ["account_links", "mail_outbox"]) {
    const rows = await service.database.query<{ row: string }>(`select t::text as row from ${table} t`);
    expect(rows.map(({ row }) => row).join("\n")).not.toContain(token);
  }
});

test("the answer is the same for an address without an account, and nothing is sent there", async () => {
  const ada = person();
  await signUp(service.url, ada);
  const nobody = person();
  const known = await forget(ada.email);
  const unknown = await forget(nobody.email);
  const without = (body: string, email: string) =>
    body.replaceAll(email, "<email>").replaceAll(/\/interaction\/[\w-]+/g, "<page>");
  expect(without(unknown.body, nobody.email)).toBe(without(known.body, ada.email));
  expect(unknown.status).toBe(known.status);
  await linkTo(ada.email);
  await expect
    .poll(() => service.database.query("select 1 from mail_outbox"), { timeout: 10_000 })
    .toHaveLength(0);
  expect(server.received.filter(({ to }) => to === nobody.email)).toEqual([]);
});

test("an answer runs the same statements for an address with an account as without", async () => {
  const ada = person();
  await signUp(service.url, ada);
  const said: string[][] = [];
  const { database } = service;
  const spied = {
    ...database,
    query: <R>(sql: string, values?: readonly unknown[]) => {
      said.at(-1)?.push(sql);
      return database.query<R>(sql, values);
    },
    transaction: ((work, origin) =>
      database.transaction(
        (queries) =>
          work({
            query: (sql, values) => {
              said.at(-1)?.push(sql);
              return queries.query(sql, values);
            },
          }),
        origin,
      )) as typeof database.transaction,
  };
  // Without a sender, which does look.
  const quiet = await startProvider({ database: spied, variables: { SIGN_UP: "open" } });
  const { createPost } = await import("../mail/post");
  const { createProvider } = await import("./provider");
  const { createLog } = await import("../../log");
  try {
    const provider = await createProvider({
      config: quiet.config,
      database: spied,
      log: createLog("silent"),
      mail: createPost(() => {}),
    });
    Object.assign(quiet.provider, provider);
    for (const email of [ada.email, person().email]) {
      const { browser, page } = await openSignIn(quiet.url);
      said.push([]);
      const answer = await browser.submit(`${page.url}/forgot-password`, { email });
      said.push([]);
      expect(answer.body).toContain("Check your mail");
    }
    const [known, , unknown] = said;
    expect(known?.length).toBeGreaterThan(3);
    expect(unknown).toEqual(known);
  } finally {
    await quiet.close();
  }
});

test("a link that was not used in time, or before the password changed, is dead", async () => {
  const ada = person();
  const { browser } = await signUp(service.url, ada);
  await forget(ada.email);
  const first = await linkTo(ada.email);
  await service.database.query("update account_links set expires_at = now() - interval '1 second'");
  expect((await reset(first, NEXT)).status).toBe(410);
  await forget(ada.email);
  const second = await linkTo(ada.email, 2);
  await browser.submit(`${service.url}/oidc/account/password`, {
    "current-password": PASSWORD,
    "new-password": NEXT,
  });
  expect((await reset(second, "a third password")).status).toBe(410);
  expect(
    (await reset("http://x/y?token=".replace("http://x/y", new URL(second).href.split("?")[0] ?? ""), NEXT))
      .status,
  ).toBe(410);
});

test("of two who open one link at the same time, one sets the password", async () => {
  const ada = person();
  await signUp(service.url, ada);
  await forget(ada.email);
  const link = await linkTo(ada.email);
  const answers = await Promise.all([reset(link, "password of one"), reset(link, "password of two")]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410]);
});

test("a form from another site resets nothing, and asks for nothing", async () => {
  const ada = person();
  await signUp(service.url, ada);
  await forget(ada.email);
  const link = await linkTo(ada.email);
  const { origin, pathname, searchParams } = new URL(link);
  const fields = { token: searchParams.get("token") ?? "", "new-password": NEXT };
  const foreign = { origin: "https://evil.example" };
  expect((await new Browser().submit(`${origin}${pathname}`, fields, foreign)).status).toBe(403);
  expect((await forget(ada.email, { ...network(), ...foreign })).status).toBe(403);
  await expect(signIn(service.url, { ...ada, password: NEXT })).rejects.toThrow("Incorrect");
});

test("people of an organization's provider are told where they sign in, by a mail without a password link", async () => {
  const email = person().email;
  await service.database.query(
    `with g as (insert into groups (uid, parent, name, created_at, updated_at)
         values (repeat('a', 40), null, 'acme', now(), now()) returning uid),
       r as (insert into roles (uid, parent, name, capabilities, created_at, updated_at)
         values (repeat('b', 40), null, 'r', '{}', now(), now()) returning uid)
     insert into identity_providers (uid, parent, name, default_role, oidc, created_at, updated_at)
     select g.uid || '/' || repeat('c', 16), g.uid, 'http://evil.example', r.uid,
       '{"issuer": "https://idp.example"}', now(), now() from g, r`,
  );
  await service.database.query(
    `insert into upstream_accounts (provider, issuer, upstream_subject, subject, email, email_verified, name, created_at, updated_at)
     values (repeat('a', 40) || '/' || repeat('c', 16), 'https://idp.example', 'x', 'up', $1, true, '', now(), now())`,
    [email],
  );
  await forget(email);
  const [mail] = await mails(email, "How you sign in");
  expect(mail?.link).toBe(`${service.url}/?provider=${"a".repeat(40)}%2F${"c".repeat(16)}`);
  expect(mail?.text).not.toContain("token=");
  expect(mail?.text).not.toContain("http://evil.example");
});

test("asking for one address over and over is bounded, whoever asks; its owner's own browser still can", async () => {
  const ada = person();
  const { browser } = await signUp(service.url, ada);
  await service.database.query("delete from mail_allowances");
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await forget(ada.email)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  const refused = await forget(ada.email);
  expect(refused.body).toContain("Too many mails were asked for. Try again in 1");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(7_000);
  // The same for an address without an account.
  const nobody = person();
  for (let count = 0; count < 3; count += 1) await forget(nobody.email);
  expect((await forget(nobody.email)).status).toBe(429);
  expect((await forget(ada.email, network(), browser)).status).toBe(200);
});

test("one network cannot ask for many addresses", async () => {
  const from = { "x-forwarded-for": "10.99.0.1" };
  const statuses: number[] = [];
  for (let count = 0; count < 22; count += 1) statuses.push((await forget(person().email, from)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  expect((await forget(person().email)).status).toBe(200);
});

test("while too many mails wait, the page says so, and nothing is counted", async () => {
  await service.database.query(
    `insert into mail_outbox (uid, kind, address, facts, next_at, expires_at, created_at)
     select 'full-' || n, 'reset', 'x@example.com', '{}', now() + interval '1 day', now() + interval '2 days', now()
     from generate_series(1, 10000) n`,
  );
  const email = person().email;
  const answer = await forget(email);
  expect([answer.status, answer.body]).toEqual([
    503,
    expect.stringContaining("No mail can be sent right now."),
  ]);
  await service.database.query("delete from mail_outbox where uid like 'full-%'");
  expect((await forget(email)).status).toBe(200);
});
