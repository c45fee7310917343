import { closestMatch } from "leven";

/** A command of `platform-console`. */
export interface Command {
  /** What `--help` prints: how it is called, what it does, its options. */
  readonly usage: string;
  /** @param args what follows its name. Sets `process.exitCode`, or ends the process, unless all went well. */
  run(args: readonly string[]): unknown;
}

/** What each command does, in the order of the list. */
const LIST = {
  start: "starts the service",
  check: "says what is wrong with a configuration, without starting",
  migrate: "brings the database to the schema of this version",
  backup: "writes a backup, also while the service runs",
  "verify-backup": "restores a backup into a scratch database and checks it",
  export: "writes all data to one file or stream",
  import: "fills an empty database from a backup or an export",
  move: "changes the public address of an installation",
  "reset-password": "gives an account a new password, or removes its second factors",
  ingest: "reads advisories, packages of images, and libraries",
  registry: "writes the keys for a registry, and compares with it",
  audit: "verifies the audit log, or writes it",
  seed: "creates a large organization, to test a machine",
  version: "prints the version",
  help: "prints this text, or that of a command",
} as const;

export type CommandName = keyof typeof LIST;

const isCommand = (name: string): name is CommandName => Object.hasOwn(LIST, name);

export const USAGE = `Usage: platform-console <command> [options]

${Object.entries(LIST)
  .map(([name, what]) => `  ${name.padEnd(16)} ${what}`)
  .join("\n")}

"platform-console <command> --help" says more of each. Without a command, it starts the service.
All read their settings from the environment: docs/operate/settings.md has the table, docs/operate/README.md the rest.
`;

/** Options that are commands: how versions before there were commands are called. */
const OPTIONS: ReadonlyMap<string, CommandName> = new Map([
  ["--check", "check"],
  ["--migrate", "migrate"],
  ["--version", "version"],
  ["--help", "help"],
  ["-h", "help"],
]);

const HELP = new Set(["--help", "-h"]);
/** Letters that differ in a misspelling. */
const NEAR = 2;

interface Called {
  readonly name: CommandName;
  readonly args: readonly string[];
}

/** The command that the arguments name, and what follows it; a sentence for the operator if there is none. */
export function readArguments([first = "start", ...rest]: readonly string[]): Called | string {
  const name = OPTIONS.get(first) ?? first;
  if (!isCommand(name)) {
    const near = closestMatch(name, Object.keys(LIST), { maxDistance: NEAR });
    return `There is no command ${name}${near === undefined ? "." : `: did you mean ${near}?`}`;
  }
  if (name === "help") {
    const [of = "help", ...more] = rest.filter((word) => !HELP.has(word));
    if (more.length > 0 || !isCommand(of)) return `There is no command ${rest.join(" ")}.`;
    return { name: of, args: ["--help"] };
  }
  return rest.some((word) => HELP.has(word)) ? { name, args: ["--help"] } : { name, args: rest };
}
