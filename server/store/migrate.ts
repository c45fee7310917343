import { now } from "./clock";
import type { Database, Queries } from "./database";
import { migrations } from "./migrations/index";
import type { Migration } from "./migrations/migration";

// Any number, the same in every process of this program.
const LOCK = 7_402_221;

/** One process at a time, until the transaction ends; distributed databases without advisory locks order writes anyway. */
async function lock(queries: Queries): Promise<void> {
  const [known] = await queries.query(
    "select 1 from pg_proc where proname = 'pg_advisory_xact_lock' limit 1",
  );
  if (known) await queries.query("select pg_advisory_xact_lock($1)", [LOCK]);
}

async function applied(queries: Queries): Promise<Set<string>> {
  await queries.query(
    "create table if not exists schema_migrations (id text primary key, applied_at timestamptz(3) not null)",
  );
  const rows = await queries.query<{ id: string }>("select id from schema_migrations");
  return new Set(rows.map(({ id }) => id));
}

/** Each migration is a transaction of its own, taken again under the lock by whoever comes second. */
const apply = (database: Database, { id, statements }: Migration): Promise<void> =>
  database.transaction(async (queries) => {
    await lock(queries);
    if ((await applied(queries)).has(id)) return;
    for (const statement of statements) await queries.query(statement);
    await queries.query("insert into schema_migrations (id, applied_at) values ($1, $2)", [id, now()]);
  });

/** Brings the database to this program's schema. Throws when a newer program has already taken it further. */
export async function migrate(database: Database): Promise<void> {
  const before = await database.transaction(async (queries) => {
    await lock(queries);
    return applied(queries);
  });
  const unknown = [...before].filter((id) => !migrations.some((migration) => migration.id === id));
  if (unknown.length > 0)
    throw new Error(`the database was written by a newer version of this program (${unknown.join(", ")})`);
  for (const migration of migrations) if (!before.has(migration.id)) await apply(database, migration);
}
