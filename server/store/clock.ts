/**
 * The one clock of everything that is stored: milliseconds, as in `timestamptz(3)` and in the API. (A database's own
 * now() has microseconds: a cursor cut to milliseconds then repeats rows for ever.)
 */
export const now = (): Date => new Date();
