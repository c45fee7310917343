import pLimit from "p-limit";

/** Runs work; rejects with the signal's reason where that ended before the work had its turn. */
export type Lane = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Lets at most `most` pieces of work run at once; the others wait in line. */
export function lane(most: number): Lane {
  const limit = pLimit(most);
  return (work, signal) =>
    limit(() => {
      signal.throwIfAborted();
      return work();
    });
}
