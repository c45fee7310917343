import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";

import { isUid } from "~/contract/aip";

import { ConfigError, readConfig } from "../config";
import { progressOn, type Progress } from "../seed/progress";
import type { Database } from "../store/database";
import { migrate } from "../store/migrate";
import { openDatabase } from "../store/open";
import { sentence } from "../transfer/command";
import { ingest, type Target } from "./ingest";
import { BadInput } from "./json-values";

const USAGE = `npm run ingest -- [--group <uid>] [--digest sha256:<hex>] FILE|DIR|-...
Writes advisories, what is known of vulnerabilities, the packages of images and libraries into the database of DATA_DIR or
DATABASE_URL. Read by what they hold: OSV, Alpine secdb, OpenVEX (they need --group), SPDX and CycloneDX (they need --digest)
and libraries (docs/operating.md), each as JSON, as NDJSON or as an array of them. "-" is standard input, of a directory
every .json, .jsonl and .ndjson is read. The same file again changes nothing. Of a file that is refused nothing is written.`;

interface Options extends Target {
  readonly paths: readonly string[];
}

/** Undefined when only help is wanted. */
function readOptions(words: readonly string[]): Options | undefined {
  const { values, positionals } = (() => {
    try {
      return parseArgs({
        args: [...words],
        allowPositionals: true,
        options: { group: { type: "string" }, digest: { type: "string" }, help: { type: "boolean" } },
      });
    } catch (error) {
      throw new ConfigError(error instanceof Error ? error.message : String(error));
    }
  })();
  if (values.help) return undefined;
  const { group, digest } = values;
  if (positionals.length === 0) throw new ConfigError("no file is named");
  if (group !== undefined && !isUid(group)) throw new ConfigError(`--group: "${group}" is no uid`);
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new ConfigError("--digest must be sha256: followed by 64 hex digits");
  return { group, digest, paths: positionals };
}

/** The files of the command line, those of a directory in the order of their names. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const one of paths) {
    const found = one === "-" ? undefined : await stat(one).catch(() => undefined);
    // One that is not there is told with the others.
    if (!found?.isDirectory()) files.push(one);
    else {
      const names = await readdir(one, { recursive: true });
      files.push(
        ...names
          .filter((name) => /\.(?:json|jsonl|ndjson)$/.test(name))
          .toSorted()
          .map((name) => path.join(one, name)),
      );
    }
  }
  return files;
}

/** The bytes of a file, and how many of them were read. */
async function* bytesOf(file: string, read: (bytes: number) => void): AsyncGenerator<Buffer> {
  const stream = file === "-" ? process.stdin : createReadStream(file);
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    read((bytes += chunk.length));
    yield chunk;
  }
}

const EACH = 5_000;
const count = (n: number) => n.toLocaleString("en");

async function one(database: Database, file: string, target: Target, progress: Progress): Promise<boolean> {
  const name = file === "-" ? "standard input" : file;
  try {
    const size = file === "-" ? undefined : (await stat(file)).size;
    const read = (bytes: number) => size !== undefined && progress.step(`bytes of ${name}`, bytes, size);
    const told = (records: number) =>
      size === undefined && records % EACH === 0 && progress.say(`${count(records)} records of ${name}`);
    const done = await ingest(database, bytesOf(file, read), target, told);
    const { advisories, metadata, packages, versions, skipped, skippedCount } = done;
    const written = [
      ...(versions > 0 ? [`${count(versions)} versions of libraries`] : []),
      ...(advisories + metadata + packages > 0 || versions === 0
        ? [
            `${count(advisories)} advisories, ${count(metadata)} entries of metadata, ${count(packages)} packages`,
          ]
        : []),
    ];
    progress.say(`${name}: ${written.join(", ")}`);
    for (const what of skipped) progress.say(`  skipped: ${what}`);
    if (skippedCount > skipped.length)
      progress.say(`  skipped: ${count(skippedCount - skipped.length)} more`);
    return true;
  } catch (error) {
    const why =
      error instanceof BadInput ? `${name}: ${error.message}.` : sentence(error, file === "-" ? "-" : file);
    progress.say(`${why} Nothing of it was written.`);
    return false;
  }
}

async function run(progress: Progress): Promise<boolean> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(`${USAGE}\n`);
    return true;
  }
  const { group } = options;
  const files = await filesOf(options.paths);
  const database = await openDatabase(readConfig(process.env));
  try {
    await migrate(database);
    if (group !== undefined) {
      const [found] = await database.query("select 1 from groups where uid = $1", [group]);
      if (!found) throw new ConfigError(`--group: there is no group ${group}`);
    }
    let refused = 0;
    for (const file of files) if (!(await one(database, file, options, progress))) refused += 1;
    if (refused > 0)
      progress.say(`${count(files.length - refused)} files were written, ${count(refused)} were refused.`);
    return refused === 0;
  } finally {
    await database.close();
  }
}

const progress = progressOn(process.stderr);
try {
  if (!(await run(progress))) process.exitCode = 1;
} catch (error) {
  const usage = error instanceof ConfigError ? `\n\n${USAGE}` : "";
  progress.say(
    `Nothing was written: ${error instanceof ConfigError ? error.message : sentence(error, "-")}${usage}`,
  );
  process.exitCode = 1;
}
