import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import type { Command } from "../../command-line";
import { ConfigError, readConfig } from "../../config";
import { reasonOf } from "../../reason";
import { toEntry } from "../store/audit";
import type { Queries } from "../store/database";
import { openToRead } from "../store/open";
import { signaturesIn, verifyAgainst } from "./against";
import { lineOf } from "./line";
import { chainsOf, entriesAfter } from "./audit.table";
import { verifyLog } from "./verify";

const USAGE = `platform-console audit verify [--against <file or signature>]
  verifies the audit log: finds entries that were changed, removed, or moved. --against signed heads that were kept elsewhere, it
  also finds an end that was cut off. Exit code 1 if it finds one.
platform-console audit export [--from <time>] [--to <time>] [--group <uid>]
  writes it to standard output, an entry a line, oldest first in each organization; --group: of a group and everything below
  it. Times are like 2026-01-28 or 2026-01-28T12:00:00Z.
Uses the database of DATA_DIR or DATABASE_URL, also while the service runs. docs/audit.md says what a log proves.`;

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

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      from: { type: "string" },
      to: { type: "string" },
      group: { type: "string" },
      against: { type: "string" },
    },
  });
  const [act, ...rest] = positionals;
  if (rest.length > 0 || (act !== "verify" && act !== "export")) throw new ConfigError(USAGE);
  const range = {
    from: timeOption("from", values.from),
    to: timeOption("to", values.to),
    group: values.group,
  };
  const against = await headsFrom(values.against);
  const database = await openToRead(readConfig(process.env), "reading its log");
  try {
    if (act === "verify") return await verify(database, against);
    say(`${await writeEntries(database, range)} entries exported.`);
    return 0;
  } finally {
    await database.close();
  }
}

export const command: Command = {
  usage: USAGE,
  async run(args) {
    try {
      process.exitCode = await run(args);
    } catch (error) {
      say(reasonOf(error));
      process.exitCode = 2;
    }
  },
};
