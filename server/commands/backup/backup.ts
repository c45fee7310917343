import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";

import { readConfig } from "../../config";
import { version } from "../../package.json";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { openToRead } from "../../platform/store/open";
import { createCommand, progressLines, say, UsageError } from "../transfer/command";
import { verifyExport } from "../transfer/load";
import { writeWhole } from "../transfer/whole-file";
import { writeExport, type TransferProgress } from "../transfer/write";
import { backupsIn, manifestOf, measure, nameAt, type BackupManifest } from "./manifest";

const USAGE = `platform-console backup <file|folder> [--keep <n>]
Writes all data of the service to one file, also while the service runs, and beside it <file>.json: version, migration, time,
checksum, and the rows of each table. In a folder, which has to exist, the file gets a name with the time (UTC).
  --keep <n>   of a folder: removes all but the newest n backups afterwards
Uses the database of DATA_DIR or DATABASE_URL. "platform-console verify-backup" checks a backup, "platform-console import" restores
it; docs/operate/backups.md says how, and what a backup does not have.`;

interface Options {
  readonly target: string;
  readonly keep: number | undefined;
}

function readOptions(args: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { keep: { type: "string" } },
    });
    const [target = "", ...more] = positionals;
    if (target !== "" && more.length === 0 && /^[1-9]\d{0,5}$/.test(values.keep ?? "1"))
      return { target, keep: values.keep === undefined ? undefined : Number(values.keep) };
  } catch {
    // Falls through to the usage error.
  }
  throw new UsageError();
}

/**
 * Writes a backup and its manifest. Whoever finds the backup finds the manifest: it is there first. Both are read again from the
 * disk before they count. Throws EEXIST if `file` exists.
 * @param since before `database` was opened, which may be a copy: what was acknowledged until then is in the backup
 */
export async function writeBackup(
  database: Database,
  file: string,
  since: Date,
  progress: TransferProgress = () => {},
): Promise<BackupManifest> {
  let manifest: BackupManifest | undefined;
  await writeWhole(
    file,
    (target) => writeExport(database, target, progress),
    async (unfinished) => {
      const { migrations, tables } = await verifyExport(unfinished);
      manifest = {
        format: "platform-backup",
        version,
        migration: migrations.at(-1) ?? "",
        createdAt: since.toISOString(),
        ...(await measure(unfinished)),
        tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
      };
      const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
      // Of a backup that was not completed.
      await rm(manifestOf(file), { force: true });
      await writeWhole(manifestOf(file), (target) => pipeline([text], target));
    },
  );
  if (!manifest) throw new Error("nothing was written");
  return manifest;
}

/** Removes all but the newest backups that this command has named, and returns how many. */
export async function removeOld(folder: string, keep: number): Promise<number> {
  const old = (await backupsIn(folder)).slice(0, -keep);
  for (const name of old) {
    const file = path.join(folder, name);
    // oxlint-disable-next-line no-await-in-loop
    await rm(file);
    // oxlint-disable-next-line no-await-in-loop
    await rm(manifestOf(file), { force: true });
  }
  return old.length;
}

export const command = createCommand(
  { usage: USAGE, failed: "Nothing was backed up:" },
  async (args, told) => {
    const { target, keep } = readOptions(args);
    const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? false;
    if (keep !== undefined && !isFolder) throw new Error(`--keep: ${target} is not a folder`);
    const file = isFolder ? path.join(target, nameAt(now())) : target;
    told.file = file;
    const since = now();
    const database = await openToRead(readConfig(process.env), "backing it up");
    let manifest: BackupManifest;
    try {
      manifest = await writeBackup(database, file, since, progressLines());
    } finally {
      await database.close();
    }
    const rows = Object.values(manifest.tables).reduce((sum, n) => sum + n, 0);
    say(
      `Backed up to ${file}: ${rows.toLocaleString("en-US")} rows as of ${manifest.createdAt}, migration ${manifest.migration}. It contains password hashes and token signing keys: protect it accordingly. Keep SECRET_KEY or DATA_DIR/secret.key elsewhere.`,
    );
    if (keep === undefined) return;
    const removed = await removeOld(target, keep);
    if (removed > 0) say(`${removed} older ${removed === 1 ? "backup" : "backups"} removed.`);
  },
);
