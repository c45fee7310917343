import type { Queries } from "../../store/database";
import type { Recorded } from "../../store/recorded";

/** A second factor of an account. */
export interface Factor {
  readonly uid: string;
  readonly kind: "app" | "passkey";
  readonly name: string;
  readonly created: Date;
  /** When it was last used to sign in. */
  readonly used: Date | null;
  /** False for a passkey that belongs to another host: PUBLIC_URL has changed. */
  readonly usable: boolean;
}

/** Factors that one account can have. */
export const MOST_FACTORS = 10;

/** All factors of an account, oldest first. `host`: where passkeys work, if anywhere. */
export const factorsOf = (
  queries: Queries,
  subject: string,
  host: string | undefined,
): Promise<readonly Factor[]> =>
  queries.query<Factor & Record<string, unknown>>(
    `select uid, 'app' as kind, name, created_at as created, used_at as used, true as usable
     from authenticator_apps where subject = $1
     union all select uid, 'passkey', name, created_at, used_at, host = $2 from passkeys where subject = $1
     order by created, uid`,
    [subject, host ?? ""],
  );

/** What stands between a right password and a session: nothing, a factor, or the set-up of the first one. */
export type Second = "none" | "factor" | "set-up";

/**
 * What an account of this provider has to do after its password. People who sign in elsewhere have neither password nor
 * factors here: their provider decides.
 */
export async function secondOf(queries: Queries, subject: string, required: boolean): Promise<Second> {
  const [row] = await queries.query<{ own: boolean; has: boolean }>(
    `select exists (select from accounts where subject = $1)
         or exists (select from pending_accounts where subject = $1) as own,
       exists (select from authenticator_apps where subject = $1)
         or exists (select from passkeys where subject = $1) as has`,
    [subject],
  );
  if (!row?.own) return "none";
  return row.has ? "factor" : required ? "set-up" : "none";
}

const TABLES = { app: "authenticator_apps", passkey: "passkeys" } as const;

export async function renameFactor(
  queries: Recorded,
  subject: string,
  { kind, uid }: Factor,
  name: string,
): Promise<void> {
  await queries.query(`update ${TABLES[kind]} set name = $3 where subject = $1 and uid = $2`, [
    subject,
    uid,
    name,
  ]);
}

export async function deleteFactor(queries: Recorded, subject: string, { kind, uid }: Factor): Promise<void> {
  await queries.query(`delete from ${TABLES[kind]} where subject = $1 and uid = $2`, [subject, uid]);
}

/** Removes all factors and recovery codes of an account. Returns how many factors there were. */
export async function deleteFactors(queries: Recorded, subject: string): Promise<number> {
  let count = 0;
  for (const table of Object.values(TABLES))
    count += (await queries.query(`delete from ${table} where subject = $1 returning 1`, [subject])).length;
  await deleteRecoveryCodes(queries, subject);
  return count;
}

export const deleteRecoveryCodes = (queries: Recorded, subject: string): Promise<unknown> =>
  queries.query("delete from recovery_codes where subject = $1", [subject]);
