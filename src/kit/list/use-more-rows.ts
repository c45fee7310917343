import { useEffect } from "react";

import type { ListQuery } from "./types";

/** How many rows before the end the next page is asked for: about a screen and a half. */
const AHEAD = 30;

interface MoreRowsOptions {
  readonly query: ListQuery;
  readonly ready: boolean;
  /** How many rows are loaded, and which of them are drawn. */
  readonly rows: number;
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** A row that somebody waits for. */
  readonly waiting: boolean;
}

/** Fetches the next page when the end comes near, the one before when the beginning does. */
export function useMoreRows({ query, ready, rows, first = 0, last = 0, waiting }: MoreRowsOptions): void {
  const { isFetching, hasNextPage, fetchNextPage, isFetchNextPageError } = query;
  const { hasPreviousPage = false, fetchPreviousPage, isFetchPreviousPageError = false } = query;
  const near = waiting || last >= rows - AHEAD;
  // During any fetch a second one would cancel the first. After an error only the person tries again.
  const free = ready && rows > 0 && !isFetching;
  const forward = free && near && hasNextPage && !isFetchNextPageError;
  const backward = free && !forward && first < AHEAD / 2 && hasPreviousPage && !isFetchPreviousPageError;
  useEffect(() => {
    if (forward) void fetchNextPage();
    else if (backward) void fetchPreviousPage?.();
  }, [forward, backward, fetchNextPage, fetchPreviousPage, rows]);
}
