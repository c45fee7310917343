import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../store/database";
import { openMigrated } from "../../testing/database";
import { passwordsCost } from "../../testing/provider";
import { checkPassword, createAccount, EmailTakenError, findAccount } from "./accounts";
import { ensureAdmin } from "./admin-account";
import { hashPassword, passwordFits } from "./passwords";
import { addressOf, pathBelow } from "./requests";
import { readConfig } from "../../config";
import { siteOf } from "./site";

let database: Database;

beforeAll(async () => {
  passwordsCost("little");
  database = await openMigrated();
});
afterAll(() => database.close());

const recorder = () => ({ config: { issuer: "https://platform.test/oidc" }, database });

test("an email belongs to one account, in whatever case it is typed", async () => {
  const { subject } = await createAccount(recorder(), {
    email: "Ada@Example.com",
    name: "Ada",
    password: "first",
  });
  expect(await findAccount(database, subject)).toMatchObject({
    subject,
    email: "ada@example.com",
    name: "Ada",
  });
  await expect(createAccount(recorder(), { email: "ADA@example.com", password: "x" })).rejects.toThrow(
    EmailTakenError,
  );
  expect(await checkPassword(database, " ada@EXAMPLE.com", "first")).toMatchObject({ subject });
  expect(await checkPassword(database, "ada@example.com", "First")).toBeUndefined();
  expect(await checkPassword(database, "nobody\u0000@example.com", "first")).toBeUndefined();
});

test("a given subject is kept", async () => {
  expect(
    await createAccount(recorder(), { email: "demo@example.com", password: "x", subject: "demo-viewer" }),
  ).toEqual({
    subject: "demo-viewer",
  });
});

test("the administrator's password is generated once, and replaced by a set one that differs", async () => {
  const made = await ensureAdmin(recorder(), { email: "root@example.com" });
  expect(made.password).toMatch(/^.{20}$/);
  expect(await checkPassword(database, "root@example.com", made.password ?? "")).toMatchObject({
    subject: made.subject,
  });
  expect(await ensureAdmin(recorder(), { email: "root@example.com" })).toEqual({ subject: made.subject });

  await database.query(
    `insert into provider_records (kind, id, payload, account, expires_at) values ('Session', 's', '{}', $1, now())`,
    [made.subject],
  );
  const sessions = () => database.query("select id from provider_records where account = $1", [made.subject]);
  await ensureAdmin(recorder(), { email: "root@example.com", password: made.password });
  expect(await sessions()).toHaveLength(1);
  expect(await ensureAdmin(recorder(), { email: "root@example.com", password: "the way back in" })).toEqual({
    subject: made.subject,
  });
  expect(await checkPassword(database, "root@example.com", "the way back in")).toBeDefined();
  expect(await sessions()).toHaveLength(0);
});

test("a hash carries its parameters, and fits one password only", async () => {
  passwordsCost("all");
  const stored = await hashPassword("ｐässword");
  expect(stored).toMatch(/^scrypt\$65536\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(stored).not.toBe(await hashPassword("ｐässword"));
  // The same characters, composed differently.
  expect(await passwordFits("pa\u0308ssword", stored)).toBe(true);
  expect(await passwordFits("passwort", stored)).toBe(false);
  expect(await passwordFits("password", undefined)).toBe(false);
  await expect(passwordFits("x", "md5$x")).rejects.toThrow("unknown password scheme");
});

test.each([
  [false, "1.2.3.4", "127.0.0.1", "127.0.0.1"],
  [true, "6.6.6.6, 1.2.3.4", "127.0.0.1", "1.2.3.4"],
  [true, undefined, "::ffff:10.0.0.7", "10.0.0.7"],
  [true, undefined, "::ffff:c000:201", "192.0.2.1"],
  [true, "[0:0:0:0:0:FFFF:192.0.2.1]:5678", "127.0.0.1", "192.0.2.1"],
  [true, "2001:0db8:0001::1", "127.0.0.1", "2001:db8:1:0::/64"],
  [true, "999.1.2.3", "127.0.0.1", "unknown"],
  [true, "2001:DB8::1", "127.0.0.1", "2001:db8:0:0::/64"],
  [true, "2001:db8:1:2:3:4:5:6", "127.0.0.1", "2001:db8:1:2::/64"],
  [true, "1.2.3.4:5678", "127.0.0.1", "1.2.3.4"],
  [true, "6.6.6.6, [2001:db8:1:2::7]:5678", "127.0.0.1", "2001:db8:1:2::/64"],
  [true, "[2001:db8:1:2::7]", "127.0.0.1", "2001:db8:1:2::/64"],
  [true, "[::ffff:1.2.3.4]:5678", "127.0.0.1", "1.2.3.4"],
  [true, "\u0000 garbage", "127.0.0.1", "unknown"],
])("behind a trusted proxy (%s) %s through %s counts as %s", (trust, forwarded, socket, expected) => {
  const config = readConfig({ TRUST_PROXY: trust ? "1" : "0" });
  const request = { headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress: socket } };
  expect(addressOf(config, request as unknown as Parameters<typeof addressOf>[1])).toBe(expected);
});

test.each([
  ["/a/oidc/auth?x=1", "/auth?x=1"],
  ["/oidc/jwks", "/jwks"],
  ["/a/oidc", "/"],
  ["/a/oidc?x", "/?x"],
  ["/a/oidcs", "/a/oidcs"],
])("%s is %s below the provider", (url, expected) => {
  expect(pathBelow(siteOf(readConfig({ PUBLIC_URL: "http://127.0.0.1/a/" })), url)).toBe(expected);
});
