import { randomBytes, randomUUID } from "node:crypto";

import { now } from "../store/clock";
import type { Database, Queries } from "../store/database";
import { hashPassword, passwordFits } from "./passwords";
import { endSessions, type Kept } from "./sessions";

export interface Account {
  /** Random, for good: an email may change and be given to somebody else. */
  readonly subject: string;
  /** Lower case; what the person says, never verified. */
  readonly email: string;
  /** "" when not given. */
  readonly name: string;
}

export class EmailTakenError extends Error {
  constructor(email: string) {
    super(`there is an account for ${email}`);
  }
}

/** The one spelling under which an account is kept and found. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

// PostgreSQL's text cannot hold NUL, and no email has another control character.
const storable = (email: string): boolean => !/\p{Cc}/u.test(email);

/**
 * Throws an EmailTakenError, and what the queue for passwords does. Rules about what makes an email or a good password are
 * the sign-up form's. Not inside a transaction: the hash takes a quarter of a second.
 */
export async function createAccount(
  queries: Queries,
  account: {
    readonly email: string;
    readonly name?: string | undefined;
    readonly password: string;
    readonly subject?: string | undefined;
  },
  client?: AbortSignal,
): Promise<{ subject: string }> {
  const email = normalizeEmail(account.email);
  const password = await hashPassword(account.password, client);
  const rows = await queries.query<{ subject: string }>(
    `insert into accounts (subject, email, name, password, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
     on conflict (email) do nothing returning subject`,
    [account.subject ?? randomUUID(), email, account.name ?? "", password, now()],
  );
  const [created] = rows;
  if (!created) throw new EmailTakenError(email);
  return created;
}

export async function findAccount(queries: Queries, subject: string): Promise<Account | undefined> {
  const rows = await queries.query<Account>("select subject, email, name from accounts where subject = $1", [
    subject,
  ]);
  return rows[0];
}

export async function findAccountByEmail(queries: Queries, email: string): Promise<Account | undefined> {
  const spelling = normalizeEmail(email);
  if (!storable(spelling)) return undefined;
  const rows = await queries.query<Account>("select subject, email, name from accounts where email = $1", [
    spelling,
  ]);
  return rows[0];
}

/** The account that email and password belong to; an unknown email is refused no faster than a wrong password. */
export async function checkPassword(
  queries: Queries,
  email: string,
  password: string,
  client?: AbortSignal,
): Promise<Account | undefined> {
  const account = await findAccountByEmail(queries, email);
  const rows = await queries.query<{ password: string }>("select password from accounts where subject = $1", [
    account?.subject ?? "",
  ]);
  return (await passwordFits(password, rows[0]?.password, client)) ? account : undefined;
}

/** Replaces the password and ends what was signed in with the old one, `kept` aside. */
export async function setPassword(
  database: Database,
  subject: string,
  password: string,
  kept?: Kept,
): Promise<void> {
  // Before the transaction, which would hold the embedded database's only connection as long as the hash takes.
  const hash = await hashPassword(password);
  await database.transaction(async (queries) => {
    await queries.query("update accounts set password = $2, updated_at = $3 where subject = $1", [
      subject,
      hash,
      now(),
    ]);
    await endSessions(queries, subject, kept);
  });
}

/**
 * The account with which an operator always gets in. A given password that differs from the stored one replaces it, and
 * ends what was signed in with the old one. Without account and without password one is generated and, this once,
 * returned as `password`.
 */
export async function ensureAdmin(
  database: Database,
  admin: {
    readonly email: string;
    readonly password?: string | undefined;
    readonly name?: string | undefined;
    readonly subject?: string | undefined;
  },
): Promise<{ subject: string; password?: string }> {
  const known = await findAccountByEmail(database, admin.email);
  if (!known) {
    const password = admin.password ?? randomBytes(15).toString("base64url");
    const { subject } = await createAccount(database, { ...admin, password });
    return admin.password === undefined ? { subject, password } : { subject };
  }
  const { subject } = known;
  if (admin.password !== undefined && !(await checkPassword(database, admin.email, admin.password)))
    await setPassword(database, subject, admin.password);
  return { subject };
}
