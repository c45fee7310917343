import { ConfigError } from "../../config";
import { now } from "./clock";
import type { Database, Queries } from "./database";
import { migrations } from "./migrations/index";
import type { Migration } from "./migrations/migration";
import { sqlState } from "./retry";

/** SQLSTATE undefined_table. */
const NO_TABLE = "42P01";

// Arbitrary numbers, the same in every process of this program.
const LOCK = 7_402_221;
const LOCK_OF_STARTS = 7_402_222;

/**
 * Only one process at a time, until the transaction ends; distributed databases without advisory locks serialize writes
 * anyway.
 */
export async function lockSchema(queries: Queries, lock = LOCK): Promise<void> {
  const [known] = await queries.query(
    "select 1 from pg_proc where proname = 'pg_advisory_xact_lock' limit 1",
  );
  if (known) await queries.query("select pg_advisory_xact_lock($1)", [lock]);
}

/** The ids of the migrations that have run. Requires the lock. */
export async function appliedMigrations(queries: Queries): Promise<Set<string>> {
  await queries.query(
    "create table if not exists schema_migrations (id text primary key, applied_at timestamptz(3) not null)",
  );
  const rows = await queries.query<{ id: string }>("select id from schema_migrations");
  return new Set(rows.map(({ id }) => id));
}

/** Tells the operator what to do if a statement failed for lack of an extension. */
function missingExtension(statement: string, cause: unknown): Error | undefined {
  const [, name] = /^create extension if not exists (\w+)/.exec(statement) ?? [];
  if (name === undefined) return undefined;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(
    `DATABASE_URL: the database lacks the extension ${name}, and adding it failed (${why}): ask a database administrator to run "create extension ${name}", then start again`,
  );
}

export async function runMigration(queries: Queries, { id, statements }: Migration): Promise<void> {
  for (const statement of statements)
    await queries.query(statement).catch((error: unknown) => {
      throw missingExtension(statement, error) ?? error;
    });
  await queries.query("insert into schema_migrations (id, applied_at) values ($1, $2)", [id, now()]);
}

/** Throws if this program does not know one of the ids. */
export function refuseUnknown(ids: Iterable<string>, what: string): void {
  const unknown = [...ids].filter((id) => !migrations.some((migration) => migration.id === id));
  if (unknown.length > 0)
    throw new Error(`${what} was written by a newer version of this program (${unknown.join(", ")})`);
}

/** How many migrations a start would run. Throws if a newer program has migrated the database. Writes nothing. */
export async function pendingMigrations(queries: Queries): Promise<number> {
  const [table] = await queries.query<{ there: boolean }>(
    "select to_regclass('schema_migrations') is not null as there",
  );
  if (!table?.there) return migrations.length;
  const rows = await queries.query<{ id: string }>("select id from schema_migrations");
  refuseUnknown(
    rows.map(({ id }) => id),
    "the database",
  );
  return migrations.length - rows.length;
}

/** The migrations of this program that the database lacks. Throws if it does not respond. */
export async function missingMigrations(queries: Queries): Promise<string[]> {
  const rows = await queries
    .query<{ id: string }>("select id from schema_migrations")
    .catch((error: unknown) => {
      if (sqlState(error) === NO_TABLE) return [];
      throw error;
    });
  const present = new Set(rows.map(({ id }) => id));
  return migrations.map(({ id }) => id).filter((id) => !present.has(id));
}

/**
 * Migrates the database to this program's schema. Throws if a newer program has already migrated it further. Each
 * migration runs in its own transaction, which checks again under the lock whether another process was first.
 */
export async function migrate(database: Database, wanted = migrations): Promise<void> {
  const before = await database.transaction(async (queries) => {
    await lockSchema(queries);
    return appliedMigrations(queries);
  });
  refuseUnknown(before, "the database");
  for (const migration of wanted)
    if (!before.has(migration.id))
      await database.transaction(async (queries) => {
        await lockSchema(queries);
        if (!(await appliedMigrations(queries)).has(migration.id)) await runMigration(queries, migration);
      });
}

/** Serializes the check-then-write work of starting processes. The embedded database has only one process anyway. */
export const oneAfterAnother = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  database.kind === "embedded"
    ? work()
    : database.transaction(async (queries) => {
        await lockSchema(queries, LOCK_OF_STARTS);
        return work();
      });

/** The version of the database's server, and whether this user can create tables. */
export async function serverFacts(
  queries: Queries,
): Promise<{ readonly version: string; readonly number: number; readonly creates: boolean }> {
  const [server] = await queries.query<{ version: string; number: number; creates: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      has_schema_privilege(current_schema(), 'CREATE') as creates`,
  );
  return server ?? { version: "", number: 0, creates: false };
}
