import { now } from "./clock";
import type { Queries } from "./database";

/** What the claim `account` of an access token says of somebody who has none yet. */
export const PENDING = "pending";

/** Minutes in which a code has to be redeemed once somebody has filled in the form. */
const MINUTES = 60;

export interface PendingAccount {
  readonly subject: string;
  readonly email: string;
  readonly name: string;
}

const oldest = (): Date => new Date(now().getTime() - MINUTES * 60_000);

/** Keeps what somebody says who has an invite; `password` is the hash. */
export async function keepPending(
  queries: Queries,
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

/** Makes an account of a pending one; false when its email belongs to another account. */
export async function confirmPending(queries: Queries, subject: string): Promise<boolean> {
  const made = await queries.query(
    `insert into accounts (subject, email, name, password, created_at, updated_at)
     select subject, email, name, password, $2, $2 from pending_accounts where subject = $1
     on conflict (email) do nothing returning 1`,
    [subject, now()],
  );
  await queries.query("delete from pending_accounts where subject = $1", [subject]);
  return made.length > 0;
}

export async function sweepPending(queries: Queries): Promise<void> {
  await queries.query("delete from pending_accounts where created_at <= $1", [oldest()]);
}
