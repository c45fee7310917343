import { scan } from "~/api/paging/scan";
import type { PagedItem, PagedList } from "~/api/paging/scan-pages";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import type { ReadSoFar } from "~/ui/table/selection-bar";

interface Reading {
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly tell?: (so: ReadSoFar) => void;
}

/** Reads all matching rows of a list with pages of 200. Rejects with the reason of `signal`, or with the error of a page. */
export async function readAll<T extends PagedItem>(
  list: PagedList,
  matches: (row: T) => boolean,
  { retryPolicy, signal, tell }: Reading,
): Promise<readonly T[]> {
  const reading = scan(list, matches, retryPolicy);
  reading.subscribe(() => tell?.(reading.get()));
  await reading.run(signal);
  const { state, rows, error } = reading.get();
  if (state !== "done") throw error ?? signal.reason;
  return rows;
}
