import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { verifyLog } from "../../platform/audit/verify";
import { openEmbedded } from "../../platform/store/embedded";
import { countRows } from "../transfer/catalog.table";
import { createCommand, say, UsageError } from "../transfer/command";
import { BadFile } from "../transfer/format";
import { loadExport, verifyExport } from "../transfer/load";
import { backupsIn, measure, readManifest, type BackupManifest } from "./manifest";

const USAGE = `platform-console verify-backup <file|folder>
Restores a backup, of a folder the newest, into a scratch database, and checks it: the file is the one of its manifest, this version
knows its migrations, each table has the rows that the manifest counts, and the audit log is as it was written. The database is an
embedded one in the folder for temporary files (TMPDIR), and removed afterwards; nothing of the service is read or changed.
Exit code 0: the backup is good; 1: it is not, or could not be read.`;

function readOptions(args: readonly string[]): string {
  try {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const [file = "", ...more] = positionals;
    if (file !== "" && more.length === 0) return file;
  } catch {
    // Falls through to the usage error.
  }
  throw new UsageError();
}

/** Throws a BadFile if a table has other rows than it should. */
function compare(counts: ReadonlyMap<string, number>, { tables }: BackupManifest): void {
  const wrong = Object.entries(tables).filter(([name, rows]) => (counts.get(name) ?? 0) !== rows);
  const each = wrong.map(([name, rows]) => `${counts.get(name) ?? 0} instead of ${rows} in ${name}`);
  if (each.length > 0) throw new BadFile(`has other rows than its manifest says: ${each.join(", ")}`);
}

/**
 * Restores a backup into a new embedded database below `folder`, which it removes afterwards. Throws a BadFile with what is wrong.
 * @returns the manifest, and the entries of the audit log
 */
export async function verifyBackup(
  file: string,
  folder = tmpdir(),
): Promise<{ readonly manifest: BackupManifest; readonly entries: number }> {
  const manifest = await readManifest(file);
  const { bytes, sha256 } = await measure(file);
  if (bytes !== manifest.bytes || sha256 !== manifest.sha256)
    throw new BadFile("is not the file that its manifest describes: its checksum differs");
  const header = await verifyExport(file);
  if (header.migrations.at(-1) !== manifest.migration)
    throw new BadFile(`is of migration ${header.migrations.at(-1)}, not ${manifest.migration}`);
  const scratch = await mkdtemp(path.join(folder, "platform-verify-"));
  try {
    const database = await openEmbedded(scratch);
    try {
      await loadExport(
        database,
        file,
        header,
        () => {},
        async (queries) => compare(await countRows(queries), manifest),
      );
      const { entries, faults } = await verifyLog(database);
      const [first] = faults;
      if (first) {
        const { chain, sequence, problem } = first;
        const where = `${chain === "" ? "the service" : chain}, entry ${sequence}: ${problem}`;
        throw new BadFile(`has an audit log with ${faults.length} faults (${where})`);
      }
      return { manifest, entries };
    } finally {
      await database.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function newest(folder: string): Promise<string> {
  const [name] = (await backupsIn(folder)).toReversed();
  if (name === undefined) throw new Error(`${folder} has no backup`);
  return path.join(folder, name);
}

export const command = createCommand(
  { usage: USAGE, failed: "The backup is not good:" },
  async (args, told) => {
    const target = readOptions(args);
    told.file = target;
    const file = (await stat(target)).isDirectory() ? await newest(target) : target;
    told.file = file;
    const { manifest, entries } = await verifyBackup(file);
    const count = Object.values(manifest.tables).reduce((sum, n) => sum + n, 0);
    say(
      `${file} is good: ${count.toLocaleString("en-US")} rows as of ${manifest.createdAt} by version ${manifest.version}, and ${entries.toLocaleString("en-US")} entries of the audit log as they were written.`,
    );
  },
);
