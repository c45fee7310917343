import { pino, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/** What a database says of an error beside its message, without the values that it was about. */
const FACTS = ["code", "severity", "table", "column", "constraint", "routine"] as const;

/**
 * An error without what else hangs on it: a database's errors carry the statement with its parameters and the row in
 * question, which here are tokens, codes and password hashes.
 */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const own = error as unknown as Record<string, unknown>;
  const facts = FACTS.flatMap((name) => (typeof own[name] === "string" ? [[name, own[name]]] : []));
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...(Object.fromEntries(facts) as Record<string, string>),
    ...(error.cause !== undefined && { cause: described(error.cause) }),
  };
}

/**
 * JSON lines on standard output. Never log a header, a body or a query: tokens travel in each of them.
 * `level` is a pino level; "silent" for tests. `stream` takes the place of standard output.
 */
export const createLog = (level: string = "info", stream?: DestinationStream): Log => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: described },
  };
  return stream ? pino(options, stream) : pino(options);
};
