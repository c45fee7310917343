import type { Given, Options } from "./options";

/** A command of `platform`. */
export interface Command {
  /** What follows its name: `KIND UID`. */
  readonly words: string;
  /** One line for the list of commands. */
  readonly what: string;
  /** More for its own help. */
  readonly more?: string;
  /** Its options, which can depend on the words that follow its name. */
  options(words: readonly string[]): Options;
  /** Words that can follow its name, if they are known. */
  readonly choices?: readonly string[];
  /** A last part of its help, which depends on those words too. */
  details?(words: readonly string[]): string | undefined;
  /** Resolves to an exit code if it has said itself what went wrong. */
  run(given: Given, signal: AbortSignal): Promise<number | void>;
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const tell = (text: string): void => void process.stderr.write(`${text}\n`);
