import { decodeJwt } from "jose";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import { World } from "../../conformance/world";
import { createPost } from "../mail/post";
import type { Database } from "../store/database";
import { makeLink } from "../store/mail/account-links";
import { openMigrated } from "../../testing/database";
import { startMailServer, type MailServer } from "../../testing/mail-server";
import { mortal } from "../../testing/mortal";
import { movableClock, startProvider, type Running } from "../../testing/provider";
import { findAccountByEmail } from "./accounts";
import { ensureAdmin } from "./admin-account";
import { resetFactors } from "./factors/reset";
import { addApp, askedIn, codeOf, confirmed, Passkey, passPassword, secretIn } from "./factors/testing";
import { resetPassword } from "./password-reset";
import { openSignIn, signIn, signUp, tokenRequest, type SignedIn } from "./testing";

/** What people and operators do to accounts; a change of an account without its entry in the log is the fault. */

const PASSWORD = "correct horse battery";
const CLIENT_SECRET = "the secret of automation";
let real: Database;
let database: ReturnType<typeof mortal>;
let server: MailServer;
let service: Running;
let people = 0;
const clock = movableClock();
const person = () => ({ email: `person-${(people += 1)}@example.com`, password: PASSWORD });

beforeAll(async () => {
  real = await openMigrated();
  database = mortal(real);
  server = await startMailServer();
  service = await startProvider({
    host: "localhost",
    now: clock.now,
    database,
    variables: {
      SMTP_URL: server.url,
      MAIL_FROM: "console@platform.example",
      SIGN_UP: "open",
      AUTOMATION_CLIENT_SECRET: CLIENT_SECRET,
      TRUST_PROXY: "1",
    },
  });
});
afterAll(async () => {
  database.writes = Infinity;
  await service.close();
  await server.stop();
  await real.close();
});

/** Everything of accounts that somebody can change. */
async function state(): Promise<string> {
  const tables = [
    "select subject, email, password, email_verified_at is null as unverified from accounts order by subject",
    "select subject from pending_accounts order by subject",
    "select uid, name from authenticator_apps order by uid",
    "select uid, name from passkeys order by uid",
    "select subject, hash, used_at is null as unused from recovery_codes order by subject, hash",
    "select id from provider_records where kind = 'Session' and payload = 'null' order by id",
  ];
  return JSON.stringify(await Promise.all(tables.map((sql) => real.query(sql))));
}

const entries = async (action: string): Promise<number> =>
  (await real.query("select 1 from audit_entries where action = $1 and outcome = 'OUTCOME_DONE'", [action]))
    .length;

/** Prepares and does something again and again, killed one write later each time, until it is done. */
async function expectBothOrNeither(
  action: string,
  prepare: () => Promise<() => Promise<unknown>>,
): Promise<void> {
  let attempts = 0;
  for (let writes = 0; ; writes += 1) {
    const act = await prepare();
    const before = { state: await state(), entries: await entries(action) };
    database.writes = writes;
    await act().catch(() => {});
    const killed = database.writes < 0;
    database.writes = Infinity;
    const changed = (await state()) !== before.state;
    const more = (await entries(action)) - before.entries;
    expect({ writes, changed, more }).toEqual({ writes, changed, more: changed ? 1 : 0 });
    attempts += 1;
    if (changed) break;
    expect({ writes, killed }).toEqual({ writes, killed: true });
    // The throttle, too, forgets.
    clock.forward(90);
  }
  expect(attempts).toBeGreaterThan(1);
}

let networks = 0;
const network = () => ({ "x-forwarded-for": `10.3.${(networks += 1) >> 8}.${networks & 255}` });
const at = (path: string) => `${service.url}/oidc/account/${path}`;
const subjectOf = ({ accessToken }: SignedIn): string => decodeJwt(accessToken).sub ?? "";
const arrival = { requestId: randomUUID(), address: "", transport: "command" } as const;
const command = () => ({ config: service.config, database, mail: createPost(() => {}) });

test("signUp", async () => {
  await expectBothOrNeither("signUp", async () => {
    const { browser, page } = await openSignIn(service.url);
    return () => browser.submit(`${page.url}/create-account`, { ...person(), name: "" }, network());
  });
});

test("signUp with an invite", async () => {
  const closed = await startProvider({ database, now: clock.now, variables: { SIGN_UP: "closed" } });
  await expectBothOrNeither("signUp", async () => {
    const { browser, page } = await openSignIn(closed.url, { invite: "1" });
    return () => browser.submit(`${page.url}/create-account`, { ...person(), name: "" });
  });
  await closed.close();
});

test("signUp of the operator", async () => {
  await expectBothOrNeither(
    "signUp",
    async () => () => ensureAdmin({ config: service.config, database }, { email: "boss@example.com" }),
  );
});

test("password.reset by ADMIN_PASSWORD", async () => {
  await expectBothOrNeither(
    "password.reset",
    async () => () =>
      ensureAdmin(
        { config: service.config, database },
        { email: "boss@example.com", password: "the way back in" },
      ),
  );
});

test("password.change", async () => {
  const { browser } = await signUp(service.url, person());
  const form = { "current-password": PASSWORD, "new-password": "a new long one" };
  await expectBothOrNeither(
    "password.change",
    async () => () => browser.submit(at("password"), form, network()),
  );
});

test("password.reset by mail", async () => {
  const ada = person();
  const subject = subjectOf(await signUp(service.url, ada));
  const { browser } = await openSignIn(service.url);
  const token = await makeLink(real, "reset", { subject, email: ada.email });
  const form = { token, "new-password": "a new long one" };
  await expectBothOrNeither(
    "password.reset",
    async () => () => browser.submit(at("reset-password"), form, network()),
  );
});

test("password.reset by command", async () => {
  const ada = person();
  await signUp(service.url, ada);
  await expectBothOrNeither("password.reset", async () => () => resetPassword(command(), ada.email, arrival));
});

test.each(["email.confirm", "email.change"])("%s", async (action) => {
  const ada = person();
  const signedIn = await signUp(service.url, ada);
  const email = action === "email.change" ? person().email : ada.email;
  const token = await makeLink(real, "confirm", { subject: subjectOf(signedIn), email });
  await expectBothOrNeither(
    action,
    async () => () => signedIn.browser.submit(at("confirm-email"), { token }, network()),
  );
});

/** Somebody with an app, who has just shown their password again. */
async function withApp() {
  const ada = person();
  const { browser } = await signUp(service.url, ada);
  const { codes, secret } = await addApp(service.url, browser, { password: PASSWORD, at: clock.now() });
  return { ada, browser, codes, secret };
}
const again = (browser: SignedIn["browser"], path: string) => confirmed(browser, at(path), PASSWORD);

test("secondFactor.addApp", async () => {
  const { browser } = await signUp(service.url, person());
  await expectBothOrNeither("secondFactor.addApp", async () => {
    const page = await again(browser, "security/add-app");
    return () => browser.submit(page.url, { name: "Phone", code: codeOf(secretIn(page.body), clock.now()) });
  });
});

test("secondFactor.addPasskey", async () => {
  const { browser } = await signUp(service.url, person());
  const passkey = new Passkey(new URL(service.url).origin);
  await expectBothOrNeither("secondFactor.addPasskey", async () => {
    const page = await again(browser, "security/add-passkey");
    return () => browser.submit(page.url, { name: "Laptop", credential: passkey.create(askedIn(page.body)) });
  });
});

test.each([
  ["secondFactor.rename", { name: "Tablet" }],
  ["secondFactor.remove", { remove: "" }],
])("%s", async (action, form: Record<string, string>) => {
  const { ada, browser } = await withApp();
  const account = await findAccountByEmail(real, ada.email);
  const [app] = await real.query<{ uid: string }>("select uid from authenticator_apps where subject = $1", [
    account?.subject,
  ]);
  await expectBothOrNeither(action, async () => {
    const page = await again(browser, `security/factor/${app?.uid}`);
    return () => browser.submit(page.url, form);
  });
});

test("secondFactor.makeCodes", async () => {
  const { browser } = await withApp();
  await expectBothOrNeither("secondFactor.makeCodes", async () => {
    const page = await again(browser, "security/recovery-codes");
    return () => browser.submit(page.url, {});
  });
});

test("secondFactor.reset by command", async () => {
  const { ada } = await withApp();
  await expectBothOrNeither(
    "secondFactor.reset",
    async () => () => resetFactors(command(), ada.email, arrival),
  );
});

test("signIn.passwordRecovery", async () => {
  const { ada, codes } = await withApp();
  await expectBothOrNeither("signIn.passwordRecovery", async () => {
    const { browser, answer } = await passPassword(service.url, ada);
    const code = codes[0] ?? "";
    const at = answer.url.replace("second-factor", "recovery-code");
    return () => browser.submit(at, { code }, network());
  });
});

test.each(["with a hint", "with the form"])("signOut %s", async (how) => {
  const { browser, idToken } = await signIn(service.url, await withPassword());
  await expectBothOrNeither("signOut", async () => {
    const end = `${service.url}/oidc/session/end`;
    if (how === "with a hint") return () => browser.get(`${end}?id_token_hint=${idToken}`);
    const page = await browser.get(end);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    return () => browser.submit(`${end}/confirm`, { xsrf, logout: "yes" });
  });
});

async function withPassword() {
  const ada = person();
  await signUp(service.url, ada);
  return ada;
}

test("a client gets a token exactly if its sign-in is an entry", async () => {
  const authorization = `Basic ${Buffer.from(`automation:${CLIENT_SECRET}`).toString("base64")}`;
  const form = { grant_type: "client_credentials", scope: "api" };
  const statuses = new Set<number>();
  for (let writes = 0; !statuses.has(200); writes += 1) {
    const before = await entries("signIn.client");
    database.writes = writes;
    const { status } = await tokenRequest(service.url, form, { authorization });
    database.writes = Infinity;
    statuses.add(status);
    expect([status, (await entries("signIn.client")) - before]).toEqual([status, status === 200 ? 1 : 0]);
  }
  expect(statuses.size).toBe(2);
});

test("an act of a person is told to each organization that knows them, in the same transaction", async () => {
  const world = await World.open({ SIGN_UP: "open" });
  const ada = person();
  const signedIn = await signUp(world.service.url, ada);
  const by = { uid: "", token: signedIn.accessToken };
  for (const name of ["acme", "umbrella"]) await world.create(by, "groups", "", { name });
  const form = { "current-password": PASSWORD, "new-password": "a new long one" };
  await signedIn.browser.submit(`${world.service.url}/oidc/account/password`, form);
  const told = await world.service.database.query(
    "select distinct chain, xmin::text from audit_entries where action = 'password.change'",
  );
  expect(told).toHaveLength(2);
  expect(new Set(told.map(({ xmin }) => xmin)).size).toBe(1);
  await world.service.stop();
});
