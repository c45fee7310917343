import { parseArgs } from "node:util";

export const USAGE = `Usage: node server/dist/main.js [--check | --migrate | --version | --help]

Without an option it starts the service, as its environment says (README.md, "The service's environment").

  --check     checks the configuration, the database, the room on the disk and the trusted issuers, and ends:
              with status 0 if the service can start, 3 if it can but a line is a warning, otherwise 1
  --migrate   brings the database to the schema of this version, and ends; a start does the same
  --version   prints the version
  --help      prints this text
`;

const OPTIONS = {
  check: { type: "boolean" },
  migrate: { type: "boolean" },
  version: { type: "boolean" },
  help: { type: "boolean" },
} as const;

export type Task = "start" | keyof typeof OPTIONS;

/** What the arguments ask for; undefined for arguments that nothing understands. */
export function readArguments(args: readonly string[]): Task | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const [task = "start", ...more] = Object.keys(values) as Task[];
    return more.length === 0 ? task : undefined;
  } catch {
    return undefined;
  }
}
