import { fileURLToPath } from "node:url";

import { readArguments, USAGE, type Command, type CommandName } from "./command-line";
import { version } from "./package.json";

const print = (text: string): void => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
/** Beside the folder of this program, in a checkout as in a release. */
const consoleDirectory = fileURLToPath(new URL("../../dist", import.meta.url));

const HELP = `${USAGE}These pages are in ${fileURLToPath(new URL("../..", import.meta.url))}.\n`;

/** Each is loaded when it is called: the list of commands needs no database. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  start: async () => (await import("./service-commands")).start(consoleDirectory),
  check: async () => (await import("./service-commands")).check,
  migrate: async () => (await import("./service-commands")).migrate,
  backup: async () => (await import("./commands/backup/backup")).command,
  "verify-backup": async () => (await import("./commands/backup/verify-backup")).command,
  export: async () => (await import("./commands/transfer/export")).command,
  import: async () => (await import("./commands/transfer/import")).command,
  move: async () => (await import("./commands/transfer/move")).command,
  "reset-password": async () => (await import("./commands/transfer/reset-password")).command,
  ingest: async () => (await import("./commands/ingest/main")).command,
  registry: async () => (await import("./commands/registry")).command,
  audit: async () => (await import("./platform/audit/main")).command,
  seed: async () => (await import("./commands/seed/main")).command,
  version: async () => ({
    usage: "platform-console version\nPrints the version, which the console has too.",
    run: () => print(version),
  }),
  help: async () => ({ usage: HELP, run: () => print(HELP) }),
};

const called = readArguments(process.argv.slice(2));
if (typeof called === "string") {
  process.stderr.write(`${called}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const command = await COMMANDS[called.name]();
  if (called.args[0] === "--help") print(command.usage);
  else await command.run(called.args);
}
