import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { now } from "../../platform/store/clock";
import type { Database, Queries } from "../../platform/store/database";
import { refuseUnknown } from "../../platform/store/migrate";
import { quoted, readTables, type TransferTable } from "./catalog";
import { BATCH_LENGTH, BATCH_ROWS, FORMAT, Sum, VERSION, type Header } from "./format";

/** Called with each table from time to time, and at its end. */
export type TransferProgress = (table: string, done: number, all: number) => void;

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
async function* linesOf(
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
    last = JSON.parse(end.line) as (string | null)[];
  }
}

async function describe(queries: Queries, tables: readonly TransferTable[]): Promise<Header> {
  const applied = await queries.query<{ id: string }>("select id from schema_migrations");
  const migrations = applied.map(({ id }) => id).toSorted();
  refuseUnknown(migrations, "the database");
  const counted: Header["tables"] = [];
  for (const { name, columns, rows } of tables) {
    const [row] = await queries.query<{ n: number }>(
      `select count(*) as n from ${quoted(name)} where ${rows}`,
    );
    counted.push({ name, columns: columns.map((column) => column.name), rows: Number(row?.n) });
  }
  return { format: FORMAT, version: VERSION, exportedAt: now().toISOString(), migrations, tables: counted };
}

async function* exported(queries: Queries, progress: TransferProgress): AsyncGenerator<string> {
  const [known] = await queries.query<{ at: string | null }>("select to_regclass('schema_migrations') as at");
  if (!known?.at) throw new Error("the database contains no data of this program");
  const tables = await readTables(queries);
  const header = await describe(queries, tables);
  const sum = new Sum();
  const add = (text: string, isRow: boolean): string => {
    sum.line(text, isRow);
    return `${text}\n`;
  };
  yield add(JSON.stringify(header), false);
  for (const [index, table] of tables.entries()) {
    let done = 0;
    for await (const lines of linesOf(queries, table)) {
      done += lines.length;
      yield lines.map((line) => add(line, true)).join("");
      progress(table.name, done, header.tables[index]?.rows ?? done);
    }
  }
  yield `${JSON.stringify(sum.trailer())}\n`;
}

/**
 * Exports everything in the database from a single snapshot, unaffected by concurrent writes. Memory use is bounded by
 * one batch. Ends `target`.
 */
export async function writeExport(
  database: Database,
  target: Writable,
  progress: TransferProgress,
): Promise<void> {
  await database.transaction(async (queries) => {
    for (const setting of SETTINGS) await queries.query(setting);
    await pipeline(Readable.from(exported(queries, progress)), createGzip(), target);
  });
}
