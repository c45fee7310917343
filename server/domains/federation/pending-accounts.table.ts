import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import type { Recorded } from "../../platform/store/recorded";

/** The value of the access token's claim `account` for a person without an account. */
export const PENDING = "pending";

/** Minutes to redeem a code after the sign-up form was submitted. */
const MINUTES = 60;

export interface PendingAccount {
  readonly subject: string;
  readonly email: string;
  readonly name: string;
}

const oldest = (): Date => new Date(now().getTime() - MINUTES * 60_000);

/** Stores the sign-up data of a person with an invite; `password` is the hash. */
export async function keepPending(
  queries: Recorded,
  { subject, email, name, password }: PendingAccount & { readonly password: string },
): Promise<void> {
  await queries.query(
    "insert into pending_accounts (subject, email, name, password, created_at) values ($1, $2, $3, $4, $5)",
    [subject, email, name, password, now()],
  );
}

export async function findPending(queries: Queries, subject: string): Promise<PendingAccount | undefined> {
  const [found] = await queries.query<PendingAccount>(
    "select subject, email, name from pending_accounts where subject = $1 and created_at > $2",
    [subject, oldest()],
  );
  return found;
}

export async function hasAccount(queries: Queries, subject: string): Promise<boolean> {
  return (await queries.query("select 1 from accounts where subject = $1", [subject])).length > 0;
}

/** Turns a pending account into an account; false if its email belongs to another account. */
export async function confirmPending(queries: Queries, subject: string): Promise<boolean> {
  const made = await queries.query(
    `insert into accounts (subject, email, name, password, created_at, updated_at)
     select subject, email, name, password, $2, $2 from pending_accounts where subject = $1
     on conflict (email) do nothing returning 1`,
    [subject, now()],
  );
  await queries.query("delete from pending_accounts where subject = $1", [subject]);
  if (made.length === 0) await dropFactors(queries, [subject]);
  return made.length > 0;
}

/** Second factors of people who never got an account. */
async function dropFactors(queries: Queries, subjects: readonly string[]): Promise<void> {
  for (const table of ["authenticator_apps", "passkeys", "recovery_codes"])
    await queries.query(`delete from ${table} where subject = any ($1)`, [subjects]);
}

export async function sweepPending(queries: Queries): Promise<void> {
  const gone = await queries.query<{ subject: string }>(
    "delete from pending_accounts where created_at <= $1 returning subject",
    [oldest()],
  );
  if (gone.length > 0)
    await dropFactors(
      queries,
      gone.map(({ subject }) => subject),
    );
}
