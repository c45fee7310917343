import { version } from "../package.json";
import { KINDS, nameOf } from "../records/kinds";
import { get, list } from "../records/read";
import { create, remove, update } from "../records/write";
import { apply } from "../state/apply";
import { drift } from "../state/drift";
import { plan } from "../state/plan";
import { snapshot } from "../state/snapshot";
import { mcp } from "../mcp/command";
import { terraform } from "../terraform/export";
import { login, logout, whoami } from "../session/commands";
import { print, type Command } from "./command";
import { candidates, completion } from "./completion";
import { describe, EXIT, EXIT_CODES, exitCodeOf, UsageError } from "./errors";
import { COMMON, listed, readOptions } from "./options";

const COMMANDS: Readonly<Record<string, Command>> = {
  login,
  logout,
  whoami,
  get,
  list,
  create,
  update,
  delete: remove,
  snapshot,
  plan,
  apply,
  drift,
  terraform,
  mcp,
  completion,
};

/** Commands that change something in the service. */
const WRITES = new Set(["create", "update", "delete", "apply"]);

const USAGE = `Usage: platform COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { what }]) => `  ${name.padEnd(12)} ${what}`)
  .join("\n")}

"platform COMMAND --help" says more of each.

Kinds: ${KINDS.map(nameOf).join(", ")}

Environment:
  PLATFORM_SERVER              the console's address
  PLATFORM_TOKEN               an access token to use in place of a sign-in; it is stored nowhere
  XDG_CONFIG_HOME              where the sign-in is kept, in platform/sessions.json; ~/.config by default

${EXIT_CODES}`;

function helpOf(name: string, command: Command, words: readonly string[]): string {
  const details = command.details?.(words);
  return [
    `Usage: platform ${[name, command.words].filter(Boolean).join(" ")} [options]`,
    `\n${command.what[0]?.toUpperCase()}${command.what.slice(1)}.`,
    ...(command.more === undefined ? [] : [command.more]),
    `\nOptions:\n${listed({ ...command.options(words), ...COMMON })}`,
    ...(details === undefined ? [] : [`\n${details}`]),
    `\n${EXIT_CODES}`,
  ].join("\n");
}

/** Throws a UsageError. */
function commandNamed(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  throw new UsageError(
    name.startsWith("-")
      ? `${name} comes after the command: platform COMMAND ${name}.`
      : `There is no command ${JSON.stringify(name)}. Commands: ${Object.keys(COMMANDS).join(", ")}.`,
  );
}

const isHelp = (word: string): boolean => word === "--help" || word === "-h";

async function dispatch(
  [name = "--help", ...args]: readonly string[],
  signal: AbortSignal,
): Promise<number | void> {
  if (name === "complete")
    return print(
      candidates(
        COMMANDS,
        args.filter((_, index) => index > 0 || args[0] !== "--"),
      ).join("\n"),
    );
  if (name === "--version" || name === "version") return print(version);
  if (isHelp(name) || name === "help") {
    const [of] = args;
    return print(of === undefined || isHelp(of) ? USAGE : helpOf(of, commandNamed(of), args.slice(1)));
  }
  const command = commandNamed(name);
  const plain = args.filter((word) => !word.startsWith("-"));
  if (args.some(isHelp)) return print(helpOf(name, command, plain));
  const usage = ["platform", name, command.words].filter(Boolean).join(" ");
  // The options can depend on the words, so that the help of those has them.
  const help = [
    "platform",
    name,
    ...(command.words.startsWith("KIND") ? plain.slice(0, 1) : []),
    "--help",
  ].join(" ");
  return command.run(readOptions(args, command.options(plain), usage, help), signal);
}

/** Runs the command that the arguments name; resolves to its exit code. */
export async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    return (await dispatch(args, signal)) ?? EXIT.done;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    process.stderr.write(describe(error, WRITES.has(args[0] ?? "")));
    return exitCodeOf(error);
  }
}
