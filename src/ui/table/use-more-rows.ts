import { useEffect } from "react";

import type { ListQuery } from "./types";

/** How many rows before the end the next page is asked for: about a screen and a half. */
const AHEAD = 30;

interface MoreRowsOptions {
  readonly query: ListQuery;
  readonly ready: boolean;
  /** How many rows are loaded, and where those in view are among them: below 0 and beyond `rows` they are not. */
  readonly rows: number;
  readonly first: number;
  readonly last: number;
  /** A row that the person waits for. */
  readonly waiting: boolean;
}

/** Fetches the next page when the end comes near, the one before when the beginning does. */
export function useMoreRows({ query, ready, rows, first, last, waiting }: MoreRowsOptions): void {
  const { isFetching, hasNextPage, fetchNextPage, isFetchNextPageError } = query;
  const { hasPreviousPage = false, fetchPreviousPage, isFetchPreviousPageError = false } = query;
  const near = waiting || last >= rows - AHEAD;
  // During any fetch a second one would cancel the first. After an error only the person tries again.
  const free = ready && rows > 0 && !isFetching;
  const backward = free && first < AHEAD && hasPreviousPage && !isFetchPreviousPageError;
  const forward = free && near && !(backward && first < 0) && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (forward) void fetchNextPage();
    else if (backward) void fetchPreviousPage?.();
  }, [forward, backward, fetchNextPage, fetchPreviousPage, rows]);
}
