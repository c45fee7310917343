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

/**
 * Ends all sessions of an account and revokes its grants, codes and refresh tokens, except `kept`. Includes sign-ins
 * that have passed the password but not returned yet. Access tokens stay valid until they expire.
 */
export async function endSessions(queries: Queries, subject: string, kept?: Kept): Promise<void> {
  await queries.query(`${END_SESSION} and account = $1 and id <> $2`, [subject, kept?.session ?? ""]);
  await queries.query(
    `delete from provider_records where account = $1
       and kind <> 'Session' and not (kind = 'Interaction' and id = $3)
       and not (coalesce(grant_id, case when kind = 'Grant' then id end, '') = any ($2))`,
    [subject, kept?.grants ?? [], kept?.interaction ?? ""],
  );
}

/** Ends all sessions of an identity provider's accounts, before both are deleted. */
export async function endSessionsOf(queries: Queries, provider: string): Promise<void> {
  const accounts = "account in (select subject from upstream_accounts where provider = $1)";
  await queries.query(`${END_SESSION} and ${accounts}`, [provider]);
  await queries.query(`delete from provider_records where kind <> 'Session' and ${accounts}`, [provider]);
}

/** Revokes grants and everything issued under them. */
export async function revokeGrants(queries: Queries, grants: readonly string[]): Promise<void> {
  if (grants.length === 0) return;
  await queries.query(
    "delete from provider_records where grant_id = any ($1) or (kind = 'Grant' and id = any ($1))",
    [grants],
  );
}
