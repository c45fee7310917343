import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";

import type { Database } from "../platform/store/database";
import { Sum } from "../commands/transfer/format";
import { loadExport, verifyExport } from "../commands/transfer/load";
import { writeExport, type TransferProgress } from "../commands/transfer/write";

/** All tables in the database, to check that nothing was created. */
export const tablesOf = async (database: Database): Promise<string[]> =>
  (
    await database.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'",
    )
  ).map(({ name }) => name);

export const readLines = async (path: string): Promise<string[]> =>
  gunzipSync(await readFile(path))
    .toString()
    .split("\n")
    .slice(0, -1);

/** Writes an export to `path`; returns the lines of its rows. */
export async function exportTo(
  database: Database,
  path: string,
  progress: TransferProgress = () => {},
): Promise<string[]> {
  await writeExport(database, createWriteStream(path), progress);
  return (await readLines(path)).slice(1, -1);
}

export const importFrom = async (database: Database, path: string): Promise<void> =>
  loadExport(database, path, await verifyExport(path), () => {});

/** Rewrites a file with other lines but a valid trailer: unlike accidental damage. */
export async function rewrite(path: string, edit: (lines: string[]) => string[]): Promise<void> {
  const lines = edit((await readLines(path)).slice(0, -1));
  const sum = new Sum();
  for (const [index, line] of lines.entries()) sum.line(line, index > 0);
  await writeFile(path, gzipSync([...lines, JSON.stringify(sum.trailer()), ""].join("\n")));
}
