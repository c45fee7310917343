import type { Queries } from "../../platform/store/database";

/** True if the database has groups, or one of these accounts. */
export async function isStarted(queries: Queries, emails: readonly string[]): Promise<boolean> {
  const [found] = await queries.query<{ started: boolean }>(
    `select exists (select 1 from groups) or exists (select 1 from accounts where email = any($1::text[])) as started`,
    [emails],
  );
  return found?.started === true;
}

/**
 * Accounts created by the seeds, including ADMIN_EMAIL. Limited, since checking each costs a hash and strangers can
 * register such emails.
 */
export const seededAccounts = (
  queries: Queries,
  emails: readonly string[],
): Promise<{ readonly email: string }[]> =>
  queries.query(
    `select email from accounts where email = any($1::text[]) or email like '%@demo.example'
     order by (email = any($1::text[])) desc, created_at limit 50`,
    [emails],
  );

/** Removes bindings. */
export async function unbind(queries: Queries, uids: readonly string[]): Promise<void> {
  await queries.query("delete from role_bindings where uid = any($1::text[])", [uids]);
}

/** Removes an identity unless it has bindings. */
export async function removeUnbound(queries: Queries, uid: string): Promise<void> {
  await queries.query(
    `delete from identities t where uid = $1
       and not exists (select 1 from role_bindings b where b.identity_uid = t.uid)`,
    [uid],
  );
}

/** The embedded database does neither by itself: plans need statistics, counts need the visibility map. */
export async function analyze(
  queries: Queries,
  tables: readonly string[],
  { vacuum = false } = {},
): Promise<void> {
  for (const table of tables) await queries.query(`${vacuum ? "vacuum " : ""}analyze ${table}`);
}
