import type { Queries } from "../store/database";

/** What survives when an account's other sessions end: a session by its id, its grants, and a sign-in that goes on. */
export interface Kept {
  readonly session: string;
  readonly grants: readonly string[];
  readonly interaction?: string;
}

/** Payload of an ended session; unambiguous, since all others are objects. */
export const ENDED = "null";

/**
 * Ends sessions; append further conditions. The row stays until it would have expired: a request that is still reading
 * its body saves the session that it loaded earlier, and must not revive it.
 */
export const END_SESSION = `update provider_records set payload = '${ENDED}', account = null, session_uid = null
  where kind = 'Session'`;

/** One change of an account at a time. */
export async function lockAccount(queries: Queries, subject: string): Promise<void> {
  await queries.query("select 1 from accounts where subject = $1 for update", [subject]);
  await queries.query("select 1 from pending_accounts where subject = $1 for update", [subject]);
}

/**
 * Says whose sign-in an interaction is; undefined: of nobody. Has to come before what proves it is read: endSessions() then
 * ends this sign-in too, so that a password that was right a moment ago opens no session.
 */
export async function claimSignIn(
  queries: Queries,
  interaction: string,
  subject: string | undefined,
): Promise<void> {
  await queries.query("update provider_records set account = $2 where kind = 'Interaction' and id = $1", [
    interaction,
    subject ?? null,
  ]);
  // Whoever is ending the account's sessions may not have seen the claim: waits until they are done.
  // Without an account, another row: a lock is a write, which takes longer than finding nothing.
  await (subject === undefined
    ? queries.query("select 1 from provider_records where kind = 'Interaction' and id = $1 for share", [
        interaction,
      ])
    : queries.query("select 1 from accounts where subject = $1 for share", [subject]));
  await queries.query("select 1 from pending_accounts where subject = $1 for share", [subject ?? ""]);
}

/**
 * True while a sign-in that the account has claimed, or one of its sessions, has not been ended. In a transaction, it then
 * stays so until the end of it.
 */
export async function isOpen(
  queries: Queries,
  kind: "Interaction" | "Session",
  id: string,
  subject: string,
): Promise<boolean> {
  const open = await queries.query(
    "select 1 from provider_records where kind = $1 and id = $2 and account = $3 for share",
    [kind, id, subject],
  );
  return open.length > 0;
}

/** True while what an act of an account was allowed by, its session or a sign-in, has not been ended. */
export const isStillIn = (
  queries: Queries,
  subject: string,
  { session, interaction }: Kept,
): Promise<boolean> =>
  interaction === undefined
    ? isOpen(queries, "Session", session, subject)
    : isOpen(queries, "Interaction", interaction, subject);

/**
 * Ends all sessions of an account and revokes its grants, codes and refresh tokens, except `kept`. Includes sign-ins
 * that have passed the password but not returned yet. Access tokens stay valid until they expire.
 */
export async function endSessions(queries: Queries, subject: string, kept?: Kept): Promise<void> {
  await lockAccount(queries, subject);
  // Sign-ins first: one that becomes a session at this moment has locked its row, and is seen by the second statement.
  await queries.query(
    `delete from provider_records where account = $1
       and kind <> 'Session' and not (kind = 'Interaction' and id = $3)
       and not (coalesce(grant_id, case when kind = 'Grant' then id end, '') = any ($2))`,
    [subject, kept?.grants ?? [], kept?.interaction ?? ""],
  );
  await queries.query(`${END_SESSION} and account = $1 and id <> $2`, [subject, kept?.session ?? ""]);
}

/** Ends all sessions of an identity provider's accounts, before both are deleted. */
export async function endSessionsOf(queries: Queries, provider: string): Promise<void> {
  const accounts = "account in (select subject from upstream_accounts where provider = $1)";
  await queries.query(`delete from provider_records where kind <> 'Session' and ${accounts}`, [provider]);
  await queries.query(`${END_SESSION} and ${accounts}`, [provider]);
}

/** Revokes grants and everything issued under them. */
export async function revokeGrants(queries: Queries, grants: readonly string[]): Promise<void> {
  if (grants.length === 0) return;
  await queries.query(
    "delete from provider_records where grant_id = any ($1) or (kind = 'Grant' and id = any ($1))",
    [grants],
  );
}
