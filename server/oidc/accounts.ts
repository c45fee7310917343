import { randomBytes, randomUUID } from "node:crypto";

import type { Post } from "../mail/post";
import { now } from "../store/clock";
import type { Database, Queries } from "../store/database";
import { endLinks } from "../store/mail/account-links";
import { findPending, keepPending } from "../store/resources/pending-accounts";
import { hashPassword, passwordFits } from "./passwords";
import { endSessions, type Kept } from "./sessions";

export interface Account {
  /** Random and permanent: an email can change and be reassigned. */
  readonly subject: string;
  /** Local account: lower case, as the user entered it. Upstream account: as its provider states it, or "". */
  readonly email: string;
  /** As stated by the provider of an upstream account; for a local one, whether its owner opened a link mailed there. */
  readonly emailVerified: boolean;
  /** Name of the identity provider of an upstream account, which has no password here. */
  readonly provider: string | null;
  /** "" if unset. */
  readonly name: string;
}

export class EmailTakenError extends Error {
  constructor(email: string) {
    super(`${email} already has an account`);
  }
}

/** Canonical spelling under which an account is stored and looked up. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

// PostgreSQL's text type cannot store NUL, and emails contain no control characters.
const storable = (email: string): boolean => !/\p{Cc}/u.test(email);

/**
 * Throws an EmailTakenError and the errors of the password queue. The sign-up form validates email and password. Do not
 * call inside a transaction: hashing takes a quarter of a second.
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

/** Same for a pending account, which becomes one when an invite is redeemed. Its email can be another account's. */
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

/** Finds anyone who can have a session: an account or a pending one. */
export async function findVisitor(
  queries: Queries,
  subject: string,
): Promise<(Account & { readonly pending?: true }) | undefined> {
  const account = await findAccount(queries, subject);
  if (account) return account;
  const pending = await findPending(queries, subject);
  return pending && { ...pending, emailVerified: false, provider: null, pending: true };
}

const OWN = `select subject, email, name, email_verified_at is not null as "emailVerified", null::text as provider
  from accounts`;

export async function findAccount(queries: Queries, subject: string): Promise<Account | undefined> {
  const rows = await queries.query<Account>(
    `${OWN} where subject = $1
     union all select a.subject, a.email, a.name, a.email_verified, p.name
     from upstream_accounts a join identity_providers p on p.uid = a.provider
     where a.subject = $1 and a.deactivated_at is null`,
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

/** Returns the account for email and password; an unknown email takes as long to reject as a wrong password. */
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

/**
 * Replaces the password, ends all links and, except `kept`, all sessions of the account, and tells its owner by `mail`.
 * `first` runs in the same transaction; if it returns false, nothing changes.
 * @returns whether it was replaced
 */
export async function setPassword(
  database: Database,
  subject: string,
  password: string,
  {
    kept,
    first,
    mail,
    client,
  }: {
    readonly kept?: Kept;
    readonly first?: (queries: Queries) => Promise<boolean>;
    readonly mail?: Post | undefined;
    readonly client?: AbortSignal;
  } = {},
): Promise<boolean> {
  // Before the transaction: hashing would block the embedded database's only connection.
  const hash = await hashPassword(password, client);
  const done = await database.transaction(async (queries) => {
    if (first && !(await first(queries))) return false;
    const [account] = await queries.query<{ email: string }>(
      "update accounts set password = $2, updated_at = $3 where subject = $1 returning email",
      [subject, hash, now()],
    );
    await endLinks(queries, subject);
    await endSessions(queries, subject, kept);
    if (account) await mail?.tell(queries, { kind: "passwordChanged", address: account.email });
    return true;
  });
  mail?.wake();
  return done;
}

/**
 * Ensures that the operator's account exists. If the given password differs from the stored one, replaces it and ends
 * all sessions of the account. If there is neither an account nor a given password, generates one and returns it as
 * `password`, this once.
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
