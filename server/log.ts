import { pino, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/** Fields of a database error that are safe to log: they contain no row values. */
const FACTS = ["code", "severity", "table", "column", "constraint", "routine"] as const;

/** Errors of one that are logged. */
const MOST_ERRORS = 4;

/**
 * Strips an error to what is safe to log. Database errors carry the statement with its parameters and the row, which
 * here contain tokens, codes and password hashes.
 */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const own: Readonly<Record<string, unknown>> = Object(error);
  const facts = FACTS.flatMap((name) => (typeof own[name] === "string" ? [[name, own[name]] as const] : []));
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(facts),
    ...(error.cause !== undefined && { cause: described(error.cause) }),
    // One for each address of a host; the error itself says nothing.
    ...(error instanceof AggregateError && { errors: error.errors.slice(0, MOST_ERRORS).map(described) }),
  };
}

export const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** The level of LOG_LEVEL; the configuration refuses another one, which is logged like everything else. */
export const levelOf = (text: string | undefined): string => LEVELS.find((level) => level === text) ?? "info";

/**
 * Logs JSON lines to standard output. Never log a header, body or query: all of them carry tokens. `level` is a pino
 * level; use "silent" in tests. `stream` replaces standard output.
 */
export const createLog = (level: string = "info", stream?: DestinationStream): Log => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: described },
  };
  return pino(options, stream ?? together(pino.destination({ dest: 1, sync: true })));
};

/** Milliseconds that a line may wait for others. */
const LATE_MS = 20;
const URGENT = /^\{"level":[4-9]/;

/**
 * Writes lines together, with one write for many: a write for each costs a tenth of a short request. Warnings and errors
 * are written at once, with what came before them, and everything when the process exits.
 */
export function together(stream: DestinationStream): DestinationStream {
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    process.off("exit", flush);
    timer = undefined;
    if (lines === "") return;
    const written = lines;
    lines = "";
    stream.write(written);
  };
  return {
    write(line) {
      lines += line;
      if (URGENT.test(line)) return flush();
      if (timer) return;
      timer = setTimeout(flush, LATE_MS);
      process.once("exit", flush);
    },
  };
}
