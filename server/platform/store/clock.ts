/**
 * The only clock for stored times: milliseconds, as in `timestamptz(3)` and in the API. (A database's own now() has
 * microseconds: a cursor truncated to milliseconds would then repeat rows forever.)
 */
export const now = (): Date => new Date();
