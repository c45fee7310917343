import type { Database, Queries } from "./database";
import { sweepInvites } from "./group-invites";
import { sweepPending } from "./pending-accounts";

/** Tables of which so much changed that what the planner knows of them is wrong. */
const STALE = `select quote_ident(relname) as name from pg_stat_user_tables
  where n_mod_since_analyze > 1000 + n_live_tup / 5`;

/**
 * What a PostgreSQL server does by itself and the embedded one does not: figures for the planner, and the map of pages
 * that an index alone can count. Without them a list of a grown table is sorted whole for each page.
 */
export async function vacuum(queries: Queries): Promise<void> {
  // What was counted in the last second is not in the view yet.
  await queries.query("select pg_stat_force_next_flush()");
  for (const { name } of await queries.query<{ name: string }>(STALE))
    await queries.query(`vacuum analyze ${name}`);
}

/** Minutes between two looks at what has changed since. */
const TIDY_EVERY = 5;

/** The database, tidied now and from time to time until it is closed. */
export async function scheduleMaintenance(database: Database): Promise<Database> {
  // A failure costs nothing but speed, and the next look tries again.
  const look = () => vacuum(database).catch(() => {});
  let running = look();
  const timer = setInterval(() => (running = look()), TIDY_EVERY * 60_000).unref();
  await running;
  const close = async () => {
    clearInterval(timer);
    await running;
    await database.close();
  };
  return { ...database, close };
}

/** Removes what nobody needs any more, and says so to those who subscribe. */
export const sweep = (database: Database): Promise<void> =>
  database.transaction(async (queries) => {
    await sweepInvites(queries);
    await sweepPending(queries);
  });

/** The database, swept from time to time until it is closed. */
export function scheduleSweep(database: Database): Database {
  let running = Promise.resolve();
  // A failure costs nothing: the next one removes the same.
  const timer = setInterval(() => (running = sweep(database).catch(() => {})), TIDY_EVERY * 60_000).unref();
  const close = async () => {
    clearInterval(timer);
    await running;
    await database.close();
  };
  return { ...database, close };
}
