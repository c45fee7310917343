import { createBackgroundTurns, type BackgroundTurns } from "../turns";
import { sweepAudit } from "./audit";
import type { Database, Queries } from "./database";
import { sweepIdempotencyKeys } from "./idempotency-keys";
import { sweepLinks } from "./mail/account-links";
import { sweepAllowances } from "./mail/allowances";
import { foldStoredBytes } from "./quotas";
import { sweepAccessRequests } from "./resources/access-requests";
import { sweepDeliveries } from "./resources/deliveries";
import { organizationsToSweep, sweepInvites, sweepInviteUses } from "./resources/group-invites";
import { organizationsWithEnded, sweepEnded } from "./resources/role-bindings";
import { sweepPending } from "./resources/pending-accounts";

/** Tables that changed so much that the planner's statistics are wrong. */
const STALE = `select quote_ident(relname) as name from pg_stat_user_tables
  where n_mod_since_analyze > 1000 + n_live_tup / 5`;

/**
 * What a PostgreSQL server does by itself and the embedded one does not: statistics for the planner, and the visibility
 * map for index-only counts. Without them, each page sorts the whole list once a table has grown.
 */
export async function vacuum(queries: Queries): Promise<void> {
  // Counts of the last second are not in the view yet.
  await queries.query("select pg_stat_force_next_flush()");
  for (const { name } of await queries.query<{ name: string }>(STALE))
    await queries.query(`vacuum analyze ${name}`);
}

/** Minutes between two maintenance runs. */
const TIDY_EVERY = 5;

/** Vacuums the database now and regularly until it is closed. */
export async function scheduleMaintenance(database: Database): Promise<Database> {
  // A failure only costs speed, and the next run tries again.
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

/** Expired invites that one transaction removes: each also stores an event for each subscriber. */
const REMOVED_AT_ONCE = 100;

/**
 * Removes expired invites and ended role bindings (subscribers get events), pending accounts and idempotency keys. Organizations take
 * turns, so that one with many invites delays neither the others nor their events.
 */
export async function sweep(
  database: Database,
  turns = createBackgroundTurns({ atOnce: 1, waiting: 1 }),
  auditDays?: number,
) {
  const sweepOne = async (organization: string): Promise<void> => {
    const removeSome = () =>
      database.transaction((queries) => sweepInvites(queries, organization, REMOVED_AT_ONCE));
    while ((await turns(organization, removeSome)) === REMOVED_AT_ONCE);
  };
  await Promise.all((await organizationsToSweep(database)).map(sweepOne));
  const endOne = async (organization: string): Promise<void> => {
    const endSome = () =>
      database.transaction((queries) => sweepEnded(queries, organization, REMOVED_AT_ONCE));
    while ((await turns(organization, endSome)) === REMOVED_AT_ONCE);
  };
  await Promise.all((await organizationsWithEnded(database)).map(endOne));
  await database.transaction(async (queries) => {
    await sweepInviteUses(queries);
    await sweepPending(queries);
    await sweepIdempotencyKeys(queries);
    await sweepAccessRequests(queries);
    await sweepLinks(queries);
    await sweepAllowances(queries);
    await sweepDeliveries(queries);
    await foldStoredBytes(queries);
  });
  if (auditDays !== undefined) await sweepAudit(database, auditDays, turns);
}

/**
 * Sweeps the database regularly until it is closed. `turns` are shared with all other statements that no request waits
 * for.
 */
export function scheduleSweep(database: Database, turns: BackgroundTurns, auditDays?: number): Database {
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    // A failure is harmless: the next run removes the same rows.
    await sweep(database, turns, auditDays).catch(() => {});
    running = undefined;
  };
  const timer = setInterval(() => (running ??= run()), TIDY_EVERY * 60_000).unref();
  const close = async () => {
    clearInterval(timer);
    await running;
    await database.close();
  };
  return { ...database, close };
}
