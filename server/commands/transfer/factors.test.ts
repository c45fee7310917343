import { decodeJwt } from "jose";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import {
  addApp,
  addPasskey,
  askedIn,
  codeOf,
  Passkey,
  passPassword,
} from "../../platform/oidc/factors/testing";
import { openSignIn, redeem, signUp } from "../../platform/oidc/testing";
import type { Database } from "../../platform/store/database";
import { insertRow } from "../../platform/store/table";
import { personUid } from "../../platform/store/uids";
import { openEmpty } from "../../testing/database";
import { movableClock, startProvider, type Running } from "../../testing/provider";
import { exportTo, importFrom } from "../../testing/transfer";
import { readdress } from "./readdress";

const ADA = { email: "ada@demo.example", password: "correct horse battery" };
const SECRET_KEY = "a key that both installations have";
const FACTORS = ["authenticator_apps", "passkeys", "recovery_codes"];

const clock = movableClock();
let directory: string;
let file: string;
let before: Running;
let secret: string;
let codes: string[];
let ada: string;
/** Passkeys of Ada that were added before the export. */
const passkeys: Passkey[] = [];
const open: { close(): Promise<void> }[] = [];

/** A provider with the key, at localhost or at an address without a name. */
async function provider(
  host: "localhost" | "127.0.0.1",
  database?: Database,
  key = SECRET_KEY,
): Promise<Running> {
  const running = await startProvider({
    host,
    now: clock.now,
    variables: { SECRET_KEY: key },
    ...(database && { database }),
  });
  open.push(running);
  return running;
}

async function imported(): Promise<Database> {
  const database = await openEmpty();
  open.push(database);
  await importFrom(database, file);
  return database;
}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "factors-"));
  file = path.join(directory, "export");
  before = await provider("localhost");
  const { browser, accessToken } = await signUp(before.url, ADA);
  ada = decodeJwt(accessToken).sub ?? "";
  const { password } = ADA;
  ({ secret, codes } = await addApp(before.url, browser, { password, at: clock.now() }));
  for (const name of ["Laptop", "Phone"]) {
    const passkey = new Passkey(new URL(before.url).origin);
    await addPasskey(before.url, browser, { password, passkey, name });
    passkeys.push(passkey);
  }
  const { database } = before;
  // Somebody who has an invite: they set up a second factor before the account is made.
  await database.query(`insert into pending_accounts (subject, email, name, password, created_at)
    values ('pending', 'eve@demo.example', '', 'x', now())`);
  await database.query(`insert into authenticator_apps (uid, subject, name, sealed, last_step, created_at)
    values ('a', 'pending', 'Phone', 'x', 0, now())`);
  await database.query(`insert into passkeys
    (uid, subject, name, host, credential_id, public_key, counter, transports, synced, created_at)
    values ('a', 'pending', 'Phone', 'localhost', 'x', 'x', 0, '{}', false, now())`);
  await database.query(
    "insert into recovery_codes (subject, hash, created_at) values ('pending', 'x', now())",
  );
  // The API makes it when somebody first calls it.
  await insertRow(database, "identities", {
    uid: personUid(before.config.issuer, ada),
    name: "Ada",
    relationship: "",
    definition: {},
    issuer: before.config.issuer,
    subject: ada,
  });
  await exportTo(database, file);
});
afterAll(async () => {
  for (const one of open.toReversed()) await one.close();
  await rm(directory, { recursive: true, force: true });
});

const ownersIn = async (database: Database): Promise<unknown[]> => {
  const rows: unknown[] = [];
  for (const table of FACTORS) rows.push(...(await database.query(`select distinct subject from ${table}`)));
  return rows;
};

/** Signs in with a code of the app, then with a recovery code. */
async function signInWithBoth({ url }: Running, recoveryCode = ""): Promise<void> {
  clock.forward(60);
  const first = await passPassword(url, ADA);
  const app = await first.enter(
    await first.browser.submit(first.answer.url, { code: codeOf(secret, clock.now()) }),
  );
  const second = await passPassword(url, ADA);
  const at = second.answer.url.replace("second-factor", "recovery-code");
  const recovery = await second.enter(await second.browser.submit(at, { code: recoveryCode }));
  for (const { idToken } of [app, recovery])
    expect(decodeJwt(idToken)).toMatchObject({ sub: ada, amr: ["pwd", "otp", "mfa"] });
}

test("second factors travel with their account, those of a pending account stay where they are", async () => {
  expect(await ownersIn(before.database)).toHaveLength(6);
  const database = await imported();
  expect(await ownersIn(database)).toEqual(FACTORS.map(() => ({ subject: ada })));
  const after = await provider("localhost", database);
  await signInWithBoth(after, codes[0]);
  // What was used before the export stays used.
  const third = await passPassword(after.url, ADA);
  const at = third.answer.url.replace("second-factor", "recovery-code");
  expect((await third.browser.submit(at, { code: codes[0] ?? "" })).status).toBe(200);
});

test("a move says how many passkeys stop working, and apps and recovery codes work on", async () => {
  const database = await imported();
  const after = await provider("127.0.0.1", database);
  const move = (to: string, dryRun = false) => readdress(database, before.config.issuer, to, { dryRun });
  for (const [to, count, owners] of [
    ["https://new.example/oidc", 2, 1],
    // The same host at another port.
    ["http://localhost:1/oidc", 0, 0],
  ] as const)
    expect(await move(to, true)).toMatchObject({ people: 1, passkeys: { count, owners } });
  expect(await move(after.config.issuer)).toMatchObject({ people: 1, passkeys: { count: 2, owners: 1 } });
  await signInWithBoth(after, codes[1]);
  const { answer } = await passPassword(after.url, ADA);
  expect(answer.body).not.toContain("data-ask");
});

/** Signs in with a passkey as the second factor, and with it alone; what it signs is of the origin of `url`. */
async function signInWithPasskey({ url }: Running, passkey: Passkey): Promise<void> {
  const { origin } = new URL(url);
  const { browser, answer, enter } = await passPassword(url, ADA);
  const second = passkey.sign(askedIn(answer.body), { origin });
  const { idToken } = await enter(
    await browser.submit(answer.url.replace("second-factor", "passkey"), { credential: second }),
  );
  const opened = await openSignIn(url);
  const sent = await opened.browser.submit(opened.page.url, {
    credential: passkey.sign(askedIn(opened.page.body), { origin }),
  });
  const back = await opened.browser.follow(sent, opened.request.redirectUri);
  const alone = await redeem(url, opened.browser, back.location, opened.request);
  for (const token of [idToken, alone.idToken]) expect(decodeJwt(token)).toMatchObject({ sub: ada });
}

test("passkeys work after an import, and after a move to another port of the host", async () => {
  const database = await imported();
  const after = await provider("localhost", database);
  expect(after.config.issuer).not.toBe(before.config.issuer);
  for (const passkey of passkeys) await signInWithPasskey(after, passkey);
  await readdress(database, before.config.issuer, after.config.issuer);
  for (const passkey of passkeys) await signInWithPasskey(after, passkey);
});

test("with another key, the page says why codes are refused, and the other ways work", async () => {
  const after = await provider("localhost", await imported(), "a key that only the new installation has");
  clock.forward(60);
  const { browser, answer, enter } = await passPassword(after.url, ADA);
  const refused = await browser.submit(answer.url, { code: codeOf(secret, clock.now()) });
  expect(refused.body.replaceAll(/\s+/g, " ")).toContain("this installation lost the key. Use another way");
  const at = answer.url.replace("second-factor", "recovery-code");
  expect(decodeJwt((await enter(await browser.submit(at, { code: codes[2] ?? "" }))).idToken).sub).toBe(ada);
  for (const passkey of passkeys) await signInWithPasskey(after, passkey);
});

test("where passkeys are all that is left and stopped working, the page offers only what the account has", async () => {
  const database = await imported();
  await database.query("delete from authenticator_apps");
  const after = await provider("127.0.0.1", database);
  const sentence = async () => {
    const { answer } = await passPassword(after.url, ADA);
    expect(answer.body).not.toContain("data-ask");
    return answer.body.replaceAll(/\s+/g, " ");
  };
  expect(await sentence()).toContain("don't work at this address. Use a recovery code.");
  await database.query("delete from recovery_codes");
  const without = await sentence();
  expect(without).toContain("Your second factors don't work at this address, and no recovery code is left.");
  expect(without).not.toContain("Use a recovery code");
  expect(without).toContain("ask the people who run this service");
});
