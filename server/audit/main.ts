import { once } from "node:events";
import { parseArgs } from "node:util";

import { ConfigError, readConfig } from "../config";
import { reasonOf } from "../reason";
import { toEntry } from "../store/audit";
import type { Queries } from "../store/database";
import { holdsDatabase } from "../store/embedded";
import { openDatabase } from "../store/open";
import { chainsOf, entriesAfter, verifyLog } from "./verify";

const USAGE = `npm run audit -- verify
npm run audit -- export [--from <time>] [--to <time>] [--group <uid>]
Verifies the audit log: finds entries that were changed, removed, or moved. Or writes it to standard output, an entry a
line, oldest first in each organization. Times are like 2026-01-28 or 2026-01-28T12:00:00Z.
Uses the service's database: DATA_DIR (stop the service first) or DATABASE_URL.`;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function timeOption(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new ConfigError(`--${name}: "${text}" is not a time`);
  return time;
}

interface Range {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly group: string | undefined;
}

async function writeEntries(queries: Queries, { from, to, group }: Range): Promise<number> {
  let written = 0;
  for (const chain of await chainsOf(queries))
    for await (const rows of entriesAfter(queries, chain, 0)) {
      const wanted = rows.filter(
        ({ created_at, parent }) =>
          (!from || created_at >= from) &&
          (!to || created_at < to) &&
          (group === undefined || parent === group || parent?.startsWith(`${group}/`)),
      );
      const text = wanted.map((row) => `${JSON.stringify(toEntry({ ...row }))}\n`).join("");
      written += wanted.length;
      if (text !== "" && !process.stdout.write(text)) await once(process.stdout, "drain");
    }
  return written;
}

async function verify(queries: Queries): Promise<number> {
  const { entries, chains, faults } = await verifyLog(queries);
  for (const { chain, sequence, problem } of faults)
    say(`${chain === "" ? "the service" : chain}, entry ${sequence}: ${problem}.`);
  say(
    faults.length === 0
      ? `${entries} entries in ${chains} chains, all as they were written.`
      : `${faults.length} faults in ${entries} entries of ${chains} chains.`,
  );
  return faults.length === 0 ? 0 : 1;
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: "string" },
      to: { type: "string" },
      group: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const [command, ...rest] = positionals;
  if (rest.length > 0 || (command !== "verify" && command !== "export")) throw new ConfigError(USAGE);
  const range = {
    from: timeOption("from", values.from),
    to: timeOption("to", values.to),
    group: values.group,
  };
  const config = readConfig(process.env);
  // A mistyped DATA_DIR must not become an empty log that verifies.
  if (config.databaseUrl === undefined && !(await holdsDatabase(config.dataDir)))
    throw new ConfigError(`DATA_DIR: ${config.dataDir} does not contain a database`);
  const database = await openDatabase(config);
  try {
    if (command === "verify") return await verify(database);
    say(`${await writeEntries(database, range)} entries exported.`);
    return 0;
  } finally {
    await database.close();
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  say(reasonOf(error));
  process.exitCode = 2;
}
