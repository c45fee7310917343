import { useEffect } from "react";

import type { ListQuery } from "./types";

/** How many rows before the end to request the next page: about one and a half screens. */
const AHEAD = 30;

interface MoreRowsOptions {
  readonly query: ListQuery;
  readonly ready: boolean;
  /** Number of loaded rows, and the range of those in view; below 0 or beyond `rows` they are not loaded. */
  readonly rows: number;
  readonly first: number;
  readonly last: number;
  /** The user is waiting for a row. */
  readonly waiting: boolean;
}

/** Fetches the next page near the end of the loaded rows, and the previous page near their start. */
export function useMoreRows({ query, ready, rows, first, last, waiting }: MoreRowsOptions): void {
  const { isFetching, hasNextPage, fetchNextPage, isFetchNextPageError } = query;
  const { hasPreviousPage = false, fetchPreviousPage, isFetchPreviousPageError = false } = query;
  const near = waiting || last >= rows - AHEAD;
  // A second fetch would cancel one in flight. After an error, only the user retries.
  const free = ready && rows > 0 && !isFetching;
  const backward = free && first < AHEAD && hasPreviousPage && !isFetchPreviousPageError;
  const forward = free && near && !(backward && first < 0) && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (forward) void fetchNextPage();
    else if (backward) void fetchPreviousPage?.();
  }, [forward, backward, fetchNextPage, fetchPreviousPage, rows]);
}
