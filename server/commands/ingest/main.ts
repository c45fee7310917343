import { parseArgs } from "node:util";

import { isUid } from "platform-contract/aip";

import type { Command } from "../../command-line";
import { ConfigError, readConfig } from "../../config";
import { progressOn, type SeedProgress } from "../seed/progress";
import { nameOf } from "../../domains/organization/groups.table";
import { migrate } from "../../platform/store/migrate";
import { openDatabase } from "../../platform/store/open";
import { sentence } from "../transfer/command";
import { ConsoleReporter } from "./account";
import { filesOf, ingestFiles, Stopped } from "./files";
import type { IngestTarget } from "./reading";

const USAGE = `platform-console ingest [--group <uid>] [--digest sha256:<hex>] FILE|DIR|-...
Writes advisories, vulnerability metadata, image packages, and libraries to the database of DATA_DIR (stop the service first) or
DATABASE_URL. Formats, detected by content: OSV, Alpine secdb, OpenVEX, and CSAF (require --group), SPDX and CycloneDX (require
--digest), libraries, and KEV, as JSON, NDJSON, or a JSON array, and the CSV of EPSS. "-" is standard input; in a directory,
every .json, .jsonl, .ndjson, and .csv file is read. Ingesting the same file again changes nothing. A rejected file is not
written, not even partly. docs/operate/ingest.md says what is read of each.`;

interface Options extends IngestTarget {
  readonly paths: readonly string[];
}

function readOptions(words: readonly string[]): Options {
  const { values, positionals } = (() => {
    try {
      return parseArgs({
        args: [...words],
        allowPositionals: true,
        options: { group: { type: "string" }, digest: { type: "string" } },
      });
    } catch (error) {
      throw new ConfigError(error instanceof Error ? error.message : String(error));
    }
  })();
  const { group, digest } = values;
  if (positionals.length === 0) throw new ConfigError("name at least one file");
  if (group !== undefined && !isUid(group)) throw new ConfigError(`--group: "${group}" is not a uid`);
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new ConfigError("--digest must be sha256: followed by 64 hex digits");
  return { group, digest, paths: positionals };
}

/** Exit codes that a shell reports for a process ended by a signal. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Aborted by a signal, with its name as the reason. The signal arrives twice if a terminal also sends it to npm. */
function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort(signal));
  return stop.signal;
}

/** Returns the exit code. */
async function run(args: readonly string[], progress: SeedProgress): Promise<number> {
  const options = readOptions(args);
  const { group, paths } = options;
  const stop = untilSignal();
  const files = await filesOf(paths);
  if (files.length === 0) throw new ConfigError("no .json, .jsonl, .ndjson, or .csv files found");
  const account = new ConsoleReporter(progress, files.length);
  const database = await openDatabase(readConfig(process.env));
  try {
    await migrate(database);
    if (group !== undefined && (await nameOf(database, group)) === undefined)
      throw new ConfigError(`--group: group ${group} does not exist`);
    await ingestFiles(database, files, options, account, stop);
    account.end();
    return account.broken === 0 ? 0 : 1;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const signal: keyof typeof CODES = stop.reason;
    account.stopped(error instanceof Stopped ? `Stopped by ${signal}.` : sentence(error, "-"));
    return error instanceof Stopped ? CODES[signal] : 1;
  } finally {
    await database.close();
  }
}

export const command: Command = {
  usage: USAGE,
  async run(args) {
    const progress = progressOn(process.stderr);
    try {
      process.exitCode = await run(args, progress);
    } catch (error) {
      const usage = error instanceof ConfigError ? `\n\n${USAGE}` : "";
      progress.say(
        `Nothing was written: ${error instanceof ConfigError ? error.message : sentence(error, "-")}${usage}`,
      );
      process.exitCode = 1;
    }
  },
};
