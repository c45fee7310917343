import { parseArgs } from "node:util";

import { ConfigError } from "../config";
import { BadFile } from "./format";
import type { Progress } from "./write";

/** For people; standard output may be the file. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

class UsageError extends Error {}

/** The file of `--to` or `--from`; "-" is standard output or input. */
export function fileOption(name: "to" | "from", usage: string): string {
  try {
    const { values } = parseArgs({ options: { [name]: { type: "string" } } });
    const file = values[name];
    if (typeof file === "string" && file !== "") return file;
  } catch {
    // Below: one sentence says what is right.
  }
  throw new UsageError(usage);
}

const MILESTONE = 50_000;

/** A line for each table, and for each 50,000 rows of a long one. */
export function progressLines(): Progress {
  const said = new Map<string, number>();
  return (table, done, all) => {
    const before = said.get(table) ?? 0;
    if (done < all && done - before < MILESTONE) return;
    said.set(table, done);
    const figure = (n: number) => n.toLocaleString("en-US");
    say(`  ${table.padEnd(20)} ${done < all ? `${figure(done)} of ${figure(all)}` : figure(all)}`);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "this user may not use it",
  EEXIST: "it exists already",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
  EROFS: "its file system is read-only",
  EPIPE: "whoever was reading it has gone",
};

/** What to say about a failure: a sentence where the failure is one that people meet, else all that is known of it. */
export function sentence(error: unknown, file: string): string {
  const name = file === "-" ? "the stream" : file;
  if (error instanceof BadFile) return `${name} ${error.message}.`;
  const reason = REASONS[String(Object(error).code)];
  if (reason !== undefined) return `${name}: ${reason}.`;
  return error instanceof Error ? `${error.message}.` : String(error);
}

/** Runs a command: 0 when it is done, 1 when it failed and has changed nothing, 2 when it was asked the wrong way. */
export async function runCommand(
  failed: string,
  work: (told: { file: string }) => Promise<void>,
): Promise<void> {
  const told = { file: "-" };
  try {
    await work(told);
  } catch (error) {
    if (error instanceof UsageError) {
      say(error.message);
      process.exit(2);
    }
    say(`${failed} ${error instanceof ConfigError ? error.message : sentence(error, told.file)}`);
    process.exit(1);
  }
}
