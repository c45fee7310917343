import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { now } from "../../platform/store/clock";
import type { Database, Queries } from "../../platform/store/database";
import { refuseUnknown } from "../../platform/store/migrate";
import {
  countIn,
  isOurs,
  linesOf,
  migrationIds,
  readAsText,
  readTables,
  type TransferTable,
} from "./catalog.table";
import { FORMAT, Sum, VERSION, type Header } from "./format";

/** Called with each table from time to time, and at its end. */
export type TransferProgress = (table: string, done: number, all: number) => void;

async function describe(queries: Queries, tables: readonly TransferTable[]): Promise<Header> {
  const migrations = (await migrationIds(queries)).toSorted();
  refuseUnknown(migrations, "the database");
  const counted: Header["tables"] = [];
  for (const { name, columns, rows } of tables) {
    const n = await countIn(queries, name, rows);
    counted.push({ name, columns: columns.map((column) => column.name), rows: n });
  }
  return { format: FORMAT, version: VERSION, exportedAt: now().toISOString(), migrations, tables: counted };
}

async function* exported(queries: Queries, progress: TransferProgress): AsyncGenerator<string> {
  if (!(await isOurs(queries))) throw new Error("the database contains no data of this program");
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
    await readAsText(queries);
    await pipeline(Readable.from(exported(queries, progress)), createGzip(), target);
  });
}
