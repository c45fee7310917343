/** Milliseconds after which a stop ends the process, whatever it waits for, a database that hangs among others. */
export const STOP_MS = 25_000;
/** Milliseconds of them in which running requests can end. */
export const GRACE_MS = 10_000;
/** Seconds that whoever supervises the process waits before it kills it: longer, so that it never has to. */
export const SUPERVISOR_S = STOP_MS / 1_000 + 5;
