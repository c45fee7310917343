import type { Queries } from "../store/database";

/** What stays when the rest of an account's sessions end: a session by its id, and its grants. */
export interface Kept {
  readonly session: string;
  readonly grants: readonly string[];
}

/**
 * Ends every session of an account and revokes its grants, codes and refresh tokens, `kept` aside; also a sign-in that
 * passed the password but has not come back yet. Access tokens that are out live until they expire.
 */
export async function endSessions(queries: Queries, subject: string, kept?: Kept): Promise<void> {
  await queries.query(
    `delete from provider_records where account = $1
       and not (kind = 'Session' and id = $2)
       and not (coalesce(grant_id, case when kind = 'Grant' then id end, '') = any ($3))`,
    [subject, kept?.session ?? "", kept?.grants ?? []],
  );
}

/** Revokes grants with all that was issued under them. */
export async function revokeGrants(queries: Queries, grants: readonly string[]): Promise<void> {
  if (grants.length === 0) return;
  await queries.query(
    "delete from provider_records where grant_id = any ($1) or (kind = 'Grant' and id = any ($1))",
    [grants],
  );
}
