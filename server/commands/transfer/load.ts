import { unlogged } from "../../platform/store/audit";
import type { Database, Queries } from "../../platform/store/database";
import { appliedMigrations, lockSchema, refuseUnknown, runMigration } from "../../platform/store/migrate";
import { migrations } from "../../platform/store/migrations/index";
import {
  afterLoad,
  countRows,
  insertLines,
  readTables,
  readTimesAsUtc,
  type TransferTable,
} from "./catalog.table";
import { giveNamespaces } from "../../domains/registry/namespaces.table";
import { BadFile, readExport, type Batch, type Header } from "./format";
import type { TransferProgress } from "./write";

/** Reads a whole file once; throws a BadFile unless it is exactly as written. */
export async function verifyExport(path: string): Promise<Header> {
  let header: Header | undefined;
  for await (const part of readExport(path)) if ("tables" in part) header = part;
  if (!header) throw new BadFile("is not an export of this program");
  refuseUnknown(header.migrations, "the file");
  return header;
}

/** Import requires an empty database: it does not merge, since it cannot decide which data should win. */
async function requireEmpty(queries: Queries, { migrations: ids }: Header): Promise<void> {
  const counts = await countRows(queries);
  const there = [...counts].map(([name, n]) => `${n} in ${name}`).join(", ");
  if (there !== "")
    throw new Error(
      `the database is not empty (rows: ${there}): import into a new DATA_DIR or an empty PostgreSQL database`,
    );
  const later = [...(await appliedMigrations(queries))].filter((id) => !ids.includes(id));
  if (later.length > 0)
    throw new Error(
      `the database's tables are newer than the file (${later.join(", ")}): import into an empty one`,
    );
}

/** True if the database has the rows of a file. */
export async function isFilled(queries: Queries, { tables }: Header): Promise<boolean> {
  const counts = await countRows(queries);
  return (
    tables.some(({ rows }) => rows > 0) && tables.every(({ name, rows }) => (counts.get(name) ?? 0) >= rows)
  );
}

async function insert(queries: Queries, table: TransferTable | undefined, batch: Batch): Promise<void> {
  const types = new Map(table?.columns.map(({ name, type }) => [name, type]));
  const { name, columns } = batch.table;
  const unknown = columns.find((column) => !types.has(column));
  if (!table || unknown !== undefined)
    throw new BadFile(
      `contains data that this program does not know: ${name}${unknown ? `.${unknown}` : ""}`,
    );
  await insertLines(
    queries,
    name,
    columns.map((column) => ({ name: column, type: types.get(column) ?? "" })),
    batch.rows,
  );
}

/**
 * Fills an empty database from a verified file, in one transaction: the schema of the source database, its rows, then
 * this program's further migrations.
 * @param loaded is called between the rows and those migrations
 */
export async function loadExport(
  database: Database,
  path: string,
  header: Header,
  progress: TransferProgress,
  loaded: (queries: Queries) => Promise<void> = async () => {},
): Promise<void> {
  await database.transaction(async (queries) => {
    await lockSchema(queries);
    await appliedMigrations(queries);
    await requireEmpty(queries, header);
    await readTimesAsUtc(queries);
    // The source database has already sent the events for these rows, and its log comes with them.
    await unlogged(queries);
    const done = await appliedMigrations(queries);
    for (const migration of migrations)
      if (header.migrations.includes(migration.id) && !done.has(migration.id))
        await runMigration(queries, migration);
    const tables = new Map((await readTables(queries)).map((table) => [table.name, table]));
    const counts = new Map<string, number>();
    for await (const part of readExport(path)) {
      if ("tables" in part) continue;
      const { name, rows } = part.table;
      await insert(queries, tables.get(name), part);
      counts.set(name, (counts.get(name) ?? 0) + part.rows.length);
      progress(name, counts.get(name) ?? 0, rows);
    }
    await loaded(queries);
    for (const migration of migrations)
      if (!header.migrations.includes(migration.id)) await runMigration(queries, migration);
    await giveNamespaces(queries);
    await afterLoad(queries);
  });
}
