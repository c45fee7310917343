import { useSyncExternalStore } from "react";

import { Store } from "~/store";

/** An error that was shown on this page, with what a report about it needs. */
export interface SeenError {
  readonly id: number;
  /** When it was shown, in ms. */
  readonly at: number;
  /** Path and query of the page that showed it. */
  readonly page: string;
  readonly message: string;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly domain?: string | undefined;
  readonly requestId?: string | undefined;
}

const MAX_KEPT = 50;
/** The same error drawn again is one error: a screen can show it in two places, or draw it again. */
const SAME_ERROR_MS = 2_000;

const errors = new Store<readonly SeenError[]>(() => []);

/** Remembers an error that is on screen. In memory only: messages can name what another person may not see. */
export function noteError(error: Omit<SeenError, "id" | "at" | "page">): void {
  const at = Date.now();
  const page = location.pathname + location.search;
  const seen = errors.get();
  const known = seen.some((each) =>
    error.requestId === undefined
      ? each.message === error.message && at - each.at < SAME_ERROR_MS
      : each.requestId === error.requestId,
  );
  const id = (seen[0]?.id ?? 0) + 1;
  if (!known) errors.set([{ ...error, id, at, page }, ...seen].slice(0, MAX_KEPT));
}

export const forgetErrors = errors.reset;

/** The errors shown since this page was loaded, newest first. */
export const seenErrors = errors.get;

export const useSeenErrors = (): readonly SeenError[] => useSyncExternalStore(errors.subscribe, seenErrors);
