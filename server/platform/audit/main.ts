import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { ConfigError, readConfig } from "../../config";
import { reasonOf } from "../../reason";
import { toEntry } from "../store/audit";
import type { Queries } from "../store/database";
import { holdsDatabase } from "../store/embedded";
import { openDatabase } from "../store/open";
import { signaturesIn, verifyAgainst } from "./against";
import { lineOf } from "./line";
import { chainsOf, entriesAfter } from "./audit.table";
import { verifyLog } from "./verify";

const USAGE = `npm run audit -- verify [--against <file or signature>]
npm run audit -- export [--from <time>] [--to <time>] [--group <uid>]
Verifies the audit log: finds entries that were changed, removed, or moved; --against signed heads that were kept elsewhere, also
an end that was cut off. Or writes it to standard output, an entry a
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
      const text = wanted.map((row) => `${lineOf(toEntry({ ...row }))}\n`).join("");
      written += wanted.length;
      if (text !== "" && !process.stdout.write(text)) await once(process.stdout, "drain");
    }
  return written;
}

/** The signed heads in a file, or the one that was given itself. */
async function headsFrom(against: string | undefined): Promise<string[]> {
  if (against === undefined) return [];
  const found = signaturesIn(await readFile(against, "utf8").catch(() => against));
  if (found.length === 0) throw new ConfigError(`--against: ${against} has no signed head`);
  return found;
}

async function verify(queries: Queries, against: readonly string[]): Promise<number> {
  const { entries, chains, faults: inside } = await verifyLog(queries);
  const faults = [...inside, ...(await verifyAgainst(queries, against))];
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
      against: { type: "string" },
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
  const against = await headsFrom(values.against);
  const config = readConfig(process.env);
  // A mistyped DATA_DIR must not become an empty log that verifies.
  if (config.databaseUrl === undefined && !(await holdsDatabase(config.dataDir)))
    throw new ConfigError(`DATA_DIR: ${config.dataDir} does not contain a database`);
  const database = await openDatabase(config);
  try {
    if (command === "verify") return await verify(database, against);
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
