import { parseArgs } from "node:util";

import type { Command } from "../../command-line";
import { ConfigError } from "../../config";
import { Unsettled } from "../../platform/store/settled";
import { reasonOf } from "../../reason";
import { BadFile } from "./format";
import type { TransferProgress } from "./write";

/** Prints a message on standard error: standard output may be the file. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Wrong arguments: the command prints its usage. */
export class UsageError extends Error {}

/** The file given by `--to` or `--from`; "-" is standard output or input. */
export function fileOption(args: readonly string[], name: "to" | "from"): string {
  try {
    const { values } = parseArgs({ args: [...args], options: { [name]: { type: "string" } } });
    const file = values[name];
    if (typeof file === "string" && file !== "") return file;
  } catch {
    // Falls through to the usage error.
  }
  throw new UsageError();
}

const MILESTONE = 50_000;

/** Prints a line per table, and per 50,000 rows of a long one. */
export function progressLines(): TransferProgress {
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
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EEXIST: "it already exists",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
  EROFS: "its file system is read-only",
  EPIPE: "its reader has closed",
};

/** Describes a failure: a sentence for expected ones, else everything known about it. */
export function sentence(error: unknown, file: string): string {
  const name = file === "-" ? "the stream" : file;
  if (error instanceof BadFile) return `${name} ${error.message}.`;
  const reason = REASONS[String(Object(error).code)];
  if (reason !== undefined) return `${name}: ${reason}.`;
  return error instanceof Error ? `${reasonOf(error)}.` : String(error);
}

/**
 * A command that ends with 0 on success, 1 if it failed and changed nothing, 2 for wrong usage, 3 if it failed and the
 * database does not say what it did. `work` puts the file that it works on into `told`.
 */
export const createCommand = (
  { usage, failed }: { readonly usage: string; readonly failed: string },
  work: (args: readonly string[], told: { file: string }) => Promise<void>,
): Command => ({
  usage,
  async run(args) {
    const told = { file: "-" };
    try {
      await work(args, told);
    } catch (error) {
      if (error instanceof UsageError) {
        say(usage);
        process.exit(2);
      }
      if (error instanceof Unsettled) {
        say(`Nobody knows whether it was done: ${error.message}. Look before you run it again.`);
        process.exit(3);
      }
      say(`${failed} ${error instanceof ConfigError ? error.message : sentence(error, told.file)}`);
      process.exit(1);
    }
  },
});
