import { setTimeout as sleep } from "node:timers/promises";

import { createSteps, forEach, type RunStep } from "../../background";
import type { Log } from "../../log";
import { createBackgroundTurns, type BackgroundTurns } from "../../turns";
import { sweepAudit } from "./audit";
import type { Database, Queries } from "./database";
import { sweepIdempotencyKeys } from "./idempotency-keys";
import { sweepLinks } from "./mail/account-links";
import { sweepAllowances } from "./mail/allowances";
import { foldStoredBytes } from "./quotas";
import { sweepAccessRequests } from "../../domains/access/access-requests.table";
import { sweepDeliveries } from "../../domains/events/deliveries.table";
import {
  organizationsToSweep,
  sweepInvites,
  sweepInviteUses,
} from "../../domains/access/group-invites.table";
import { sweepRetention } from "../../domains/registry/retention/runs.table";
import { sweepPending } from "../../domains/federation/pending-accounts.table";
import { organizationsWithEnded, sweepEnded } from "../../domains/access/role-bindings.table";

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
  const tables = await queries.query<{ name: string }>(STALE);
  await forEach(tables, ({ name }) => queries.query(`vacuum analyze ${name}`));
}

/** Minutes between two maintenance runs. */
const TIDY_EVERY = 5;

/** Milliseconds that the end of the service waits for a run: its statement is cut with the database. */
const LAST_MS = 1_000;

/** Repeats `work` until the database is closed. */
function repeated(database: Database, work: () => Promise<unknown>): Database {
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    await work();
    running = undefined;
  };
  const timer = setInterval(() => (running ??= run()), TIDY_EVERY * 60_000).unref();
  const close = async () => {
    clearInterval(timer);
    await Promise.race([running, sleep(LAST_MS)]);
    await database.close();
  };
  return { ...database, close };
}

/** Vacuums the database now and regularly until it is closed. */
export async function scheduleMaintenance(database: Database, log: Log): Promise<Database> {
  const run = createSteps(log, ["vacuum"]);
  const look = () => run("vacuum", () => vacuum(database));
  await look();
  return repeated(database, look);
}

/** Expired invites that one transaction removes: each also stores an event for each subscriber. */
const REMOVED_AT_ONCE = 100;

/** What one transaction removes, by its name in the log and in metrics. */
const AT_ONCE: Readonly<Record<string, (queries: Queries) => Promise<unknown>>> = {
  "invite-uses": sweepInviteUses,
  "pending-accounts": sweepPending,
  "idempotency-keys": sweepIdempotencyKeys,
  "access-requests": sweepAccessRequests,
  "account-links": sweepLinks,
  "mail-allowances": sweepAllowances,
  deliveries: sweepDeliveries,
  retention: sweepRetention,
  "stored-bytes": foldStoredBytes,
};

/** What has to be removed for one organization after another: subscribers get events. */
const BY_ORGANIZATION = {
  invites: [organizationsToSweep, sweepInvites],
  "role-bindings": [organizationsWithEnded, sweepEnded],
} as const;

/** The steps of a sweep. */
const stepsOf = (auditDays: number | undefined): readonly string[] => [
  ...Object.keys(BY_ORGANIZATION),
  ...Object.keys(AT_ONCE),
  ...(auditDays === undefined ? [] : ["audit"]),
];

interface Sweep {
  readonly turns?: BackgroundTurns;
  readonly auditDays?: number | undefined;
  /** Runs one of the steps, each of which is independent of the others. */
  readonly run?: (step: string, work: () => Promise<unknown>) => Promise<unknown>;
}

/**
 * Removes what has expired or ended. Organizations take turns, so that one with many invites delays neither the others
 * nor their events.
 */
export async function sweep(
  database: Database,
  {
    turns = createBackgroundTurns({ atOnce: 1, waiting: 1 }),
    auditDays,
    run = (_step, work) => work(),
  }: Sweep = {},
): Promise<void> {
  for (const [step, [organizations, remove]] of Object.entries(BY_ORGANIZATION))
    await run(step, async () =>
      forEach(await organizations(database), async (organization) => {
        const some = () => database.transaction((queries) => remove(queries, organization, REMOVED_AT_ONCE));
        while ((await turns(organization, some)) === REMOVED_AT_ONCE);
      }),
    );
  for (const [step, remove] of Object.entries(AT_ONCE)) await run(step, () => database.transaction(remove));
  if (auditDays !== undefined) await run("audit", () => sweepAudit(database, auditDays, turns));
}

/**
 * Sweeps the database regularly until it is closed. `turns` are shared with all other statements that no request waits
 * for.
 */
export function scheduleSweep(
  database: Database,
  {
    log,
    ...options
  }: { readonly turns: BackgroundTurns; readonly auditDays?: number | undefined; readonly log: Log },
): Database {
  const run: RunStep = createSteps(log, stepsOf(options.auditDays));
  return repeated(database, () => sweep(database, { ...options, run }));
}
