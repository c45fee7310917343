import type { Queries } from "../store/database";

/** What stays when the rest of an account's sessions end: a session by its id, and its grants. */
export interface Kept {
  readonly session: string;
  readonly grants: readonly string[];
}

/** The payload of a session that has ended. No other one is like it: they are objects. */
export const ENDED = "null";

/**
 * A session that has ended keeps its place until it would have expired: a request that began before may still be
 * reading its body, and saves the session that it has loaded when it is done. To be followed by further conditions.
 */
export const END_SESSION = `update provider_records set payload = '${ENDED}', account = null, session_uid = null
  where kind = 'Session'`;

/**
 * Ends every session of an account and revokes its grants, codes and refresh tokens, `kept` aside; also a sign-in that
 * passed the password but has not come back yet. Access tokens that are out live until they expire.
 */
export async function endSessions(queries: Queries, subject: string, kept?: Kept): Promise<void> {
  await queries.query(`${END_SESSION} and account = $1 and id <> $2`, [subject, kept?.session ?? ""]);
  await queries.query(
    `delete from provider_records where account = $1
       and kind <> 'Session' and not (coalesce(grant_id, case when kind = 'Grant' then id end, '') = any ($2))`,
    [subject, kept?.grants ?? []],
  );
}

/** Ends whatever was signed in by an identity provider that is about to go, and its accounts with it. */
export async function endSessionsOf(queries: Queries, provider: string): Promise<void> {
  const accounts = "account in (select subject from upstream_accounts where provider = $1)";
  await queries.query(`${END_SESSION} and ${accounts}`, [provider]);
  await queries.query(`delete from provider_records where kind <> 'Session' and ${accounts}`, [provider]);
}

/** Revokes grants with all that was issued under them. */
export async function revokeGrants(queries: Queries, grants: readonly string[]): Promise<void> {
  if (grants.length === 0) return;
  await queries.query(
    "delete from provider_records where grant_id = any ($1) or (kind = 'Grant' and id = any ($1))",
    [grants],
  );
}
