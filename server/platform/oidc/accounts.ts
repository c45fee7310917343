import { randomUUID } from "node:crypto";

import type { Post } from "../mail/post";
import { now } from "../store/clock";
import type { Arrival, Queries } from "../store/database";
import { endLinks } from "../store/mail/account-links";
import type { Recorded } from "../store/recorded";
import { findPending, keepPending } from "../../domains/federation/pending-accounts.table";
import { hashPassword, passwordFits } from "./passwords";
import { endSessions, type Kept } from "./sessions";
import { recordAct, type Done, type Recorder } from "./sign-in-log";

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

interface NewAccount {
  readonly email: string;
  readonly name?: string | undefined;
  readonly password: string;
  readonly subject?: string | undefined;
}

/** Who signs up; without, the service makes the account. */
interface SigningUp {
  readonly arrival?: Arrival;
  readonly client?: AbortSignal;
  /** Asks the new account to confirm its address. */
  readonly mail?: Post | undefined;
}

const signUp = (subject: string, { arrival }: SigningUp): Done => ({
  act: "signUp",
  subject,
  ...(!arrival && { byOperator: true }),
});

/**
 * Throws an EmailTakenError and the errors of the password queue. The sign-up form validates email and password. Do not
 * call inside a transaction: hashing takes a quarter of a second.
 */
export async function createAccount(
  recorder: Recorder,
  account: NewAccount,
  by: SigningUp = {},
): Promise<{ subject: string }> {
  const email = normalizeEmail(account.email);
  const subject = account.subject ?? randomUUID();
  const password = await hashPassword(account.password, by.client);
  await recordAct(recorder, by.arrival, signUp(subject, by), async (queries) => {
    await insertAccount(queries, { subject, email, name: account.name ?? "", password });
    await by.mail?.askToConfirm(queries, subject, email);
  });
  by.mail?.wake();
  return { subject };
}

async function insertAccount(
  queries: Recorded,
  { subject, email, name, password }: Record<"subject" | "email" | "name" | "password", string>,
): Promise<void> {
  const made = await queries.query(
    `insert into accounts (subject, email, name, password, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
     on conflict (email) do nothing returning 1`,
    [subject, email, name, password, now()],
  );
  if (made.length === 0) throw new EmailTakenError(email);
}

/** Same for a pending account, which becomes one when an invite is redeemed. Its email can be another account's. */
export async function createPendingAccount(
  recorder: Recorder,
  { email, name = "", password }: NewAccount,
  by: SigningUp = {},
): Promise<{ subject: string }> {
  const subject = randomUUID();
  const hash = await hashPassword(password, by.client);
  await recordAct(recorder, by.arrival, signUp(subject, by), (queries) =>
    keepPending(queries, { subject, email: normalizeEmail(email), name, password: hash }),
  );
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

/**
 * Returns the account for email and password; an unknown email takes as long to reject as a wrong password. `claim` runs
 * before the password is read.
 */
export async function checkPassword(
  queries: Queries,
  email: string,
  password: string,
  {
    client,
    claim,
  }: { readonly client?: AbortSignal; readonly claim?: (subject?: string) => Promise<void> } = {},
): Promise<Account | undefined> {
  const account = await findAccountByEmail(queries, email);
  await claim?.(account?.subject);
  const rows = await queries.query<{ password: string }>("select password from accounts where subject = $1", [
    account?.subject ?? "",
  ]);
  return (await passwordFits(password, rows[0]?.password, client)) ? account : undefined;
}

/**
 * Replaces the password, ends all links and, except `kept`, all sessions of the account, and tells its owner by `mail`.
 * `first` runs in the same transaction; if it throws, nothing changes.
 */
export async function setPassword(
  recorder: Recorder,
  { arrival, ...done }: Done & { readonly subject: string; readonly arrival?: Arrival | undefined },
  password: string,
  {
    kept,
    first,
    mail,
    client,
  }: {
    readonly kept?: Kept;
    readonly first?: (queries: Recorded) => Promise<void>;
    readonly mail?: Post | undefined;
    readonly client?: AbortSignal;
  } = {},
): Promise<void> {
  const { subject } = done;
  // Before the transaction: hashing would block the embedded database's only connection.
  const hash = await hashPassword(password, client);
  await recordAct(recorder, arrival, done, async (queries) => {
    await first?.(queries);
    const [account] = await queries.query<{ email: string }>(
      "update accounts set password = $2, updated_at = $3 where subject = $1 returning email",
      [subject, hash, now()],
    );
    await endLinks(queries, subject);
    await endSessions(queries, subject, kept);
    if (account) await mail?.tell(queries, { kind: "passwordChanged", address: account.email });
  });
  mail?.wake();
}
