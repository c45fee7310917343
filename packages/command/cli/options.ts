import { parseArgs, type ParseArgsConfig } from "node:util";

import { UsageError } from "./errors";

export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly what: string;
}
export type Options = Readonly<Record<string, Option>>;

/** Options of every command. */
export const COMMON: Options = {
  server: {
    type: "string",
    value: "URL",
    what: "the console's address; by default PLATFORM_SERVER, else that of the last login",
  },
  help: { type: "boolean", short: "h", what: "prints this" },
};

export interface Given {
  /** How the command is written: `platform get KIND UID`. */
  readonly usage: string;
  readonly positionals: readonly string[];
  /** The value of an option; undefined if it was not given. */
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  has(name: string): boolean;
}

/** What Node says of an option, without its advice on words that begin with a dash. */
function problemWith(message: string, known: readonly string[], help: string): string {
  const [, name = "This option"] = /'(?:-\w, )?(--?[\w.-]+)/.exec(message) ?? [];
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_.]/g, "");
  const meant = known.find((one) => plain(one) === plain(name));
  if (message.startsWith("Unknown option"))
    return `There is no option ${name}. ${meant === undefined ? `See ${help}.` : `There is --${meant}.`}`;
  if (message.includes("does not take an argument")) return `${name} takes no value.`;
  return `${name} needs a value. One that begins with a dash is written ${name}=-x.`;
}

/** Reads arguments by these options and those of every command. Throws a UsageError. */
export function readOptions(
  args: readonly string[],
  own: Options,
  usage = "platform",
  help = `${usage} --help`,
): Given {
  const options = Object.fromEntries(
    Object.entries({ ...COMMON, ...own }).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short && { short }), ...(multiple && { multiple }) },
    ]),
  ) as NonNullable<ParseArgsConfig["options"]>;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const texts = (name: string) => [values[name] ?? []].flat().map(String);
    return {
      usage,
      positionals,
      texts,
      text: (name) => texts(name)[0],
      has: (name) => values[name] === true,
    };
  } catch (error) {
    if (Object(error).code?.startsWith("ERR_PARSE_ARGS"))
      throw new UsageError(problemWith((error as Error).message, Object.keys(options), help));
    throw error;
  }
}

/** Takes exactly these words; throws a UsageError that names the first one that is missing. */
export function words<const Names extends readonly string[]>(
  { positionals, usage }: Given,
  names: Names,
): { [Index in keyof Names]: string } {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing. Usage: ${usage}`);
  if (positionals.length > names.length)
    throw new UsageError(
      `${JSON.stringify(positionals[names.length])} is one word too many. Usage: ${usage}`,
    );
  return positionals as unknown as { [Index in keyof Names]: string };
}

/** Options as lines of a help text. */
export const listed = (options: Options): string =>
  Object.entries(options)
    .map(([name, { short, value, what }]) => {
      const written = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
      return `  ${written.padEnd(28)} ${what}`;
    })
    .join("\n");
