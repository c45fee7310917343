import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startMailServer, type MailServer } from "../../testing/mail-server";
import { startProvider, type Running } from "../../testing/provider";
import { personUid } from "../store/uids";
import { Browser, openSignIn, refresh, signIn, signUp } from "./testing";

const PASSWORD = "correct horse battery";

let server: MailServer;
let service: Running;
beforeAll(async () => {
  server = await startMailServer();
  service = await startProvider({
    variables: {
      SMTP_URL: server.url,
      MAIL_FROM: "console@platform.example",
      ADMIN_EMAIL: "boss@example.com",
      TRUST_PROXY: "1",
    },
  });
});
afterAll(async () => {
  await service.close();
  await server.stop();
});

let people = 0;
const person = () => ({ email: `owner-${(people += 1)}@example.com`, password: PASSWORD });
const mine = () => `${service.url}/oidc/account/email`;
let networks = 0;
const network = () => ({ "x-forwarded-for": `10.2.0.${(networks += 1)}` });

async function mailsTo(to: string, subject: string, count = 1) {
  const found = () => server.received.filter((mail) => mail.to === to && mail.subject.startsWith(subject));
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(count);
  return found();
}
const linkTo = async (email: string, count = 1) =>
  (await mailsTo(email, "Confirm", count)).at(-1)?.link ?? "";

function confirm(link: string, browser: Browser) {
  const { origin, pathname, searchParams } = new URL(link);
  return browser.submit(`${origin}${pathname}`, { token: searchParams.get("token") ?? "" });
}

/** Asks for another address, as the owner of an account in this browser. */
const change = (browser: Browser, email: string, password = PASSWORD) =>
  browser.submit(mine(), { what: "change", email, "current-password": password }, network());

test("an address counts as confirmed once its owner, signed in, opens the link that was mailed there", async () => {
  const ada = person();
  const { browser, idToken, refreshToken } = await signUp(service.url, ada);
  expect(decodeJwt(idToken)["email_verified"]).toBe(false);
  expect((await browser.get(mine())).body).toContain("Not confirmed yet.");
  const link = await linkTo(ada.email);
  // Somebody else, or a program that opens links, confirms nothing.
  const stranger = await confirm(link, new Browser());
  expect([stranger.status, stranger.body]).toEqual([401, expect.stringContaining("Sign in first")]);
  const other = await signUp(service.url, person());
  expect((await confirm(link, other.browser)).status).toBe(403);
  expect((await browser.get(link)).body).toContain(`<strong>${ada.email}</strong>`);
  expect(decodeJwt(String((await refresh(service.url, refreshToken)).json["id_token"]))).toMatchObject({
    email_verified: false,
  });
  expect((await confirm(link, browser)).body).toContain("Address confirmed");
  expect((await browser.get(mine())).body).toContain("Confirmed: you opened a link");
  const { idToken: later } = await signIn(service.url, ada);
  expect(decodeJwt(later)).toMatchObject({ email: ada.email, email_verified: true });
  const subject = String(decodeJwt(later)["sub"]);
  expect(
    await service.database.query("select email from identities where uid = $1", [
      personUid(service.config.issuer, subject),
    ]),
  ).toEqual([{ email: ada.email }]);
  // Once.
  expect((await confirm(link, browser)).status).toBe(410);
});

test("a new address counts once it is confirmed, and the old one is told", async () => {
  const [ada, next] = [person(), person().email];
  const { browser } = await signUp(service.url, ada);
  const old = await linkTo(ada.email);
  expect((await change(browser, next.toUpperCase())).body).toContain("Check your mail");
  expect((await browser.get(mine())).body).toContain(`<strong>${ada.email}</strong>`);
  await expect(signIn(service.url, { ...ada, email: next })).rejects.toThrow("Incorrect email or password.");
  const link = await linkTo(next);
  expect((await browser.get(link)).body).toContain("in place of");
  expect((await confirm(link, browser)).body).toContain("Address confirmed");
  const { idToken } = await signIn(service.url, { ...ada, email: next });
  expect(decodeJwt(idToken)).toMatchObject({ email: next, email_verified: true });
  await expect(signIn(service.url, ada)).rejects.toThrow("Incorrect email or password.");
  const [told] = await mailsTo(ada.email, "The address of your account was changed");
  expect(told?.text).toContain(`was changed to ${next}`);
  // What was mailed to the old address leads nowhere any more.
  expect((await confirm(old, browser)).status).toBe(410);
});

test("a new address needs the password, has to be one, and cannot be the operator's account's", async () => {
  const ada = person();
  const { browser } = await signUp(service.url, ada);
  for (const [email, password, sentence] of [
    ["nobody", PASSWORD, "Enter an email address like name@example.com."],
    [ada.email, PASSWORD, "This is your address already."],
    ["next@example.com", "wrong", "Incorrect current password."],
    ["next@example.com", "", "Enter your current password."],
    ["a@example.com\r\nBcc: b@example.com", PASSWORD, "Enter an email address like name@example.com."],
  ] as const)
    expect((await change(browser, email, password)).body).toContain(sentence);
  const boss = await signUp(service.url, { email: "boss@example.com", password: PASSWORD });
  expect((await boss.browser.get(mine())).body).toContain("They set its address.");
  await change(boss.browser, "other@example.com");
  await linkTo("boss@example.com", 2);
  expect(server.received.filter(({ to }) => ["next@example.com", "other@example.com"].includes(to))).toEqual(
    [],
  );
  const foreign = { origin: "https://evil.example" };
  expect((await browser.submit(mine(), { what: "confirm" }, foreign)).status).toBe(403);
});

test("the address of another account is refused by mail only: the page does not tell", async () => {
  const [ada, bob] = [person(), person()];
  const { browser } = await signUp(service.url, ada);
  await signUp(service.url, bob);
  expect((await change(browser, bob.email)).body).toContain("Check your mail");
  const [told] = await mailsTo(bob.email, "You have an account already");
  expect(told?.link).toBe("");
});

test("a new password ends links to another address", async () => {
  const [ada, next] = [person(), person().email];
  const { browser } = await signUp(service.url, ada);
  await change(browser, next);
  const link = await linkTo(next);
  await browser.submit(`${service.url}/oidc/account/password`, {
    "current-password": PASSWORD,
    "new-password": "another good password",
  });
  await mailsTo(ada.email, "Your password was changed");
  expect((await confirm(link, browser)).status).toBe(410);
});

test("a link is of use for its time only", async () => {
  const ada = person();
  const { browser } = await signUp(service.url, ada);
  const link = await linkTo(ada.email);
  await service.database.query("update account_links set expires_at = now() - interval '1 second'");
  expect((await browser.get(link)).status).toBe(410);
  expect((await confirm(link, browser)).status).toBe(410);
});

test("without mail there is no such page, and it says whom to ask", async () => {
  const quiet = await startProvider({ database: service.database });
  try {
    const { browser } = await signUp(quiet.url, person());
    const answer = await browser.get(`${quiet.url}/oidc/account/email`);
    expect([answer.status, answer.body]).toEqual([
      404,
      expect.stringContaining("ask the people who run the service"),
    ]);
    const { page } = await openSignIn(quiet.url);
    expect(page.status).toBe(200);
  } finally {
    await quiet.close();
  }
});
