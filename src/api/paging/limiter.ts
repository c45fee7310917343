import pLimit from "p-limit";

/** Runs work; rejects with the signal's reason if it aborts before the work starts. */
export type Limiter = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Runs at most `most` pieces of work at a time; the others wait in line. */
export function limiter(most: number): Limiter {
  const limit = pLimit(most);
  return (work, signal) =>
    limit(() => {
      signal.throwIfAborted();
      return work();
    });
}
