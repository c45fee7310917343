import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import { readConfig, type Config } from "../../config";
import { discardEmbedded, holdsDatabase } from "../../platform/store/embedded";
import { openDatabase } from "../../platform/store/open";
import { withoutClientSecret } from "../../domains/federation/identity-providers.table";
import { createCommand, fileOption, progressLines, say } from "./command";
import { Failure } from "../../status";
import { settled } from "../../platform/store/settled";
import { isFilled, loadExport, verifyExport } from "./load";

const USAGE = `platform-console import --from <file>
Fills an empty database from a backup or an export; "-" is standard input. Before the first start, which writes to the database.
Uses the database of DATA_DIR (stop the service first) or DATABASE_URL.`;

/** An import reads its file twice, first to verify it, so a stream is saved to a private temporary file. */
async function fromInput(work: (file: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "platform-import-"));
  try {
    const file = path.join(directory, "export");
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }));
    await work(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function load(config: Config, file: string): Promise<void> {
  const header = await verifyExport(file);
  const made = config.databaseUrl === undefined && !(await holdsDatabase(config.dataDir));
  const database = await openDatabase(config);
  try {
    await settled(
      () => loadExport(database, file, header, progressLines()).then(() => true),
      // Only a lost connection leaves it open: a database that was not empty is not one that was filled.
      async (error) => (error instanceof Failure && (await isFilled(database, header))) || undefined,
    );
  } catch (error) {
    await database.close();
    if (made) await discardEmbedded(config.dataDir);
    throw error;
  }
  const providers = await withoutClientSecret(database);
  await database.close();
  if (providers.length > 0)
    say(
      `${providers.length} identity providers need their client secret again, on their pages: ${providers.join(" ")}`,
    );
  say(
    `Imported the export from ${header.exportedAt}. Sessions are not included: everyone has to sign in again.`,
  );
}

export const command = createCommand(
  { usage: USAGE, failed: "Nothing was imported:" },
  async (args, told) => {
    const file = fileOption(args, "from");
    told.file = file;
    const config = readConfig(process.env);
    await (file === "-" ? fromInput((copy) => load(config, copy)) : load(config, file));
  },
);
