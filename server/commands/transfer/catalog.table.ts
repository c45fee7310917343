import type { Queries } from "../../platform/store/database";
import { BATCH_LENGTH, BATCH_ROWS } from "./format";

/** A table as the database describes it: migrations that add a table need no change here. */
export interface TransferTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The primary key columns, in key order. */
  readonly key: readonly string[];
  /** SQL: which of its rows are exported. */
  readonly rows: string;
}

export interface Column {
  readonly name: string;
  /** The type as in a cast: `timestamp(3) with time zone`. */
  readonly type: string;
}

/**
 * Tables that are not exported, and what docs/operate/backups.md calls their content. Sessions, grants and refresh tokens: an
 * import would revive those that ended after the export, so everybody signs in again instead. Failed sign-ins expire after
 * minutes, pending accounts after an hour. Idempotency keys expire after a day, leases after seconds. Client secrets of
 * identity providers belong to others. Mails that wait would be sent by two services, and links in mails lead to the one
 * that sent them. What organizations store is counted again. The migrations are listed in the header.
 */
export const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ["provider_records", "sessions, refresh tokens"],
  ["sign_in_failures", "failed sign-in attempts"],
  ["pending_accounts", "sign-ups that wait for their invite"],
  ["identity_provider_secrets", "client secrets of identity providers"],
  ["idempotency_keys", "idempotency keys"],
  ["audit_forward_leases", "which process forwards the log"],
  ["account_links", "links in mails"],
  ["mail_outbox", "mails that wait"],
  ["mail_allowances", "counts of mails"],
  ["registry_counted_events", "notifications that are counted already"],
  ["registry_differences", "differences from the registry"],
  ["registry_comparison", "when it was compared"],
  ["registry_looks", "looks at the registry that wait"],
  ["registry_pushers", "who has lately got a token that can push"],
  ["record_changes", "what records were before they changed"],
  ["record_states", "what records were before they changed"],
  ["record_horizons", "since when that is known"],
  ["quotas", "byte quotas"],
  ["stored_bytes", "stored bytes"],
  ["stored_changes", "their changes"],
  ["schema_migrations", "the list of migrations"],
]);

/** Factors are also of pending accounts, which are not exported: without these they would belong to nobody for ever. */
const OF_ACCOUNTS = "subject in (select subject from accounts)";
const ROWS: Readonly<Record<string, string>> = {
  authenticator_apps: OF_ACCOUNTS,
  passkeys: OF_ACCOUNTS,
  recovery_codes: OF_ACCOUNTS,
};

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    coalesce(array_position(i.indkey::int2[], a.attnum), -1) as place
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where n.nspname = current_schema() and c.relkind in ('r', 'p')
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by c.relname, a.attnum`;

const REFERENCES = `
  select c.relname as from, f.relname as to from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
    join pg_namespace n on n.oid = c.relnamespace
  where k.contype = 'f' and n.nspname = current_schema() and k.conrelid <> k.confrelid`;

/** Every table of the schema, after the tables it references. */
async function allTables(queries: Queries): Promise<TransferTable[]> {
  const rows = await queries.query<Column & { table: string; place: number }>(COLUMNS);
  const names = [...new Set(rows.map(({ table }) => table))];
  const tables = names.map((name) => {
    const own = rows.filter(({ table }) => table === name);
    const key = own.filter(({ place }) => place >= 0).toSorted((a, b) => a.place - b.place);
    return {
      name,
      columns: own.map((column) => ({ name: column.name, type: column.type })),
      key: key.map((column) => column.name),
      rows: ROWS[name] ?? "true",
    };
  });
  const references = await queries.query<{ from: string; to: string }>(REFERENCES);
  const ordered: TransferTable[] = [];
  while (ordered.length < tables.length) {
    const placed = new Set(ordered.map(({ name }) => name));
    const next = tables.find(
      ({ name }) => !placed.has(name) && references.every(({ from, to }) => from !== name || placed.has(to)),
    );
    if (!next) throw new Error("the tables refer to each other in a circle");
    ordered.push(next);
  }
  return ordered;
}

/**
 * The exported tables, in an order in which their rows can be written: each after the tables it references. A group's
 * uid starts with its parent's, so parents come first in key order.
 */
export async function readTables(queries: Queries): Promise<TransferTable[]> {
  const tables = (await allTables(queries)).filter(({ name }) => !LEFT_OUT.has(name));
  const keyless = tables.find(({ key }) => key.length === 0);
  if (keyless) throw new Error(`the table ${keyless.name} has no primary key to be read by`);
  return tables;
}

/** Row counts of the tables that are not empty, including those that are not exported. */
export async function countRows(queries: Queries): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of await allTables(queries)) {
    if (name === "schema_migrations") continue;
    const n = await countIn(queries, name);
    if (n > 0) counts.set(name, n);
  }
  return counts;
}

/** The number of rows of a table that the condition `which` selects. */
export async function countIn(queries: Queries, table: string, which = "true"): Promise<number> {
  const [row] = await queries.query<{ n: number }>(
    `select count(*) as n from ${quoted(table)} where ${which}`,
  );
  return Number(row?.n);
}

/** True if the database has tables of this program. */
export async function isOurs(queries: Queries): Promise<boolean> {
  const [known] = await queries.query<{ at: string | null }>("select to_regclass('schema_migrations') as at");
  return Boolean(known?.at);
}

/** The ids of the migrations that have run. */
export async function migrationIds(queries: Queries): Promise<string[]> {
  return (await queries.query<{ id: string }>("select id from schema_migrations")).map(({ id }) => id);
}

/** Settings that give every type a single text form, independent of the server's own settings. */
const SETTINGS = [
  "set transaction isolation level repeatable read, read only",
  "set local time zone 'UTC'",
  "set local datestyle to 'ISO'",
  "set local intervalstyle to 'postgres'",
  "set local bytea_output to 'hex'",
  "set local extra_float_digits to 1",
];

/** Approximate size of a value in a line, in bytes; for text, this does not read it, however long it is. */
const sizeOf = ({ name, type }: TransferTable["columns"][number]): string =>
  `coalesce(${type === "text" ? "octet_length" : "pg_column_size"}(${quoted(name)}), 0)`;

/**
 * The rows of a table in key order, in batches of lines that the database renders as JSON. A long row ends a batch
 * early: a thousand readmes are more than a string, or the embedded database, can hold.
 */
export async function* linesOf(
  queries: Queries,
  { name, columns, key, rows }: TransferTable,
): AsyncGenerator<string[]> {
  const keys = key.map(quoted).join(", ");
  const values = columns.map((column) => `${quoted(column.name)}::text`).join(", ");
  const places = key.map((column) => columns.findIndex((one) => one.name === column));
  const bounds = places.map((place, index) => `$${index + 1}::text::${columns[place]?.type}`).join(", ");
  let last: (string | null)[] | undefined;
  for (;;) {
    const found: { line: string }[] = await queries.query(
      `select array_to_json(array[${values}])::text as line from (
         select *, sum("its bytes") over (order by ${keys}) - "its bytes" as "bytes before" from (
           select *, ${columns.map(sizeOf).join(" + ")} as "its bytes" from ${quoted(name)}
           where ${rows} ${last ? `and (${keys}) > (${bounds})` : ""} order by ${keys} limit ${BATCH_ROWS}) measured) placed
       where "bytes before" < ${BATCH_LENGTH} order by ${keys}`,
      last ? places.map((place) => last?.[place]) : [],
    );
    const end = found.at(-1);
    if (!end) return;
    yield found.map(({ line }) => line);
    last = JSON.parse(end.line);
  }
}

/** Makes the transaction a snapshot in which values are read in their single text form. */
export async function readAsText(queries: Queries): Promise<void> {
  for (const setting of SETTINGS) await queries.query(setting);
}

export async function readTimesAsUtc(queries: Queries): Promise<void> {
  await queries.query("set local time zone 'UTC'");
}

/** Inserts the texts of lines as they are in the file: no value passes through a JavaScript type. */
export async function insertLines(
  queries: Queries,
  table: string,
  columns: readonly Column[],
  lines: readonly string[],
): Promise<void> {
  const values = columns.map(({ type }, index) => `(r ->> ${index})::${type}`);
  await queries.query(
    `insert into ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(", ")})
     select ${values.join(", ")} from jsonb_array_elements($1::jsonb) as rows(r)`,
    [`[${lines.join(",")}]`],
  );
}

/** Counts what organizations store, and makes statistics, which the embedded database does not by itself. */
export async function afterLoad(queries: Queries): Promise<void> {
  await queries.query("select recount_bytes()");
  await queries.query("analyze");
}
