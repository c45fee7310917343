import { randomBytes, randomUUID } from "node:crypto";

import { now } from "../store/clock";
import type { Database, Queries } from "../store/database";
import { findPending, keepPending } from "../store/pending-accounts";
import { hashPassword, passwordFits } from "./passwords";
import { endSessions, type Kept } from "./sessions";

export interface Account {
  /** Random, for good: an email may change and be given to somebody else. */
  readonly subject: string;
  /** Of an own account lower case, and what the person says; of one elsewhere what its provider says, or "". */
  readonly email: string;
  /** By the provider of an account elsewhere; never here. */
  readonly emailVerified: boolean;
  /** The name of the identity provider of an account elsewhere. It has no password here. */
  readonly provider: string | null;
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

/** The same before there is an account: it is made when an invite is redeemed. Its email may be that of another account. */
export async function createPendingAccount(
  queries: Queries,
  { email, name, password }: { readonly email: string; readonly name: string; readonly password: string },
  client?: AbortSignal,
): Promise<{ subject: string }> {
  const subject = randomUUID();
  const hash = await hashPassword(password, client);
  await keepPending(queries, { subject, email: normalizeEmail(email), name, password: hash });
  return { subject };
}

/** Whoever may have a session: somebody with an account, or who is about to get one. */
export async function findVisitor(
  queries: Queries,
  subject: string,
): Promise<(Account & { readonly pending?: true }) | undefined> {
  const account = await findAccount(queries, subject);
  if (account) return account;
  const pending = await findPending(queries, subject);
  return pending && { ...pending, emailVerified: false, provider: null, pending: true };
}

const OWN = 'select subject, email, name, false as "emailVerified", null::text as provider from accounts';

export async function findAccount(queries: Queries, subject: string): Promise<Account | undefined> {
  const rows = await queries.query<Account>(
    `${OWN} where subject = $1
     union all select a.subject, a.email, a.name, a.email_verified, p.name
     from upstream_accounts a join identity_providers p on p.uid = a.provider where a.subject = $1`,
    [subject],
  );
  return rows[0];
}

export async function findAccountByEmail(queries: Queries, email: string): Promise<Account | undefined> {
  const spelling = normalizeEmail(email);
  if (!storable(spelling)) return undefined;
  const rows = await queries.query<Account>(`${OWN} where email = $1`, [spelling]);
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
