import { pino, type Logger } from "pino";

export type Log = Logger;

/**
 * JSON lines on standard output. Never log a header, a body or a query: tokens travel in each of them.
 * `level` is a pino level; "silent" for tests.
 */
export const createLog = (level: string = "info"): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
