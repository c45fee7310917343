import { useSyncExternalStore } from "react";

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

let seen: readonly SeenError[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly SeenError[]): void {
  seen = next;
  for (const listener of listeners) listener();
}

/** Remembers an error that is on screen. In memory only: messages can name what another person may not see. */
export function noteError(error: Omit<SeenError, "id" | "at" | "page">): void {
  const at = Date.now();
  const page = location.pathname + location.search;
  const known = seen.some((each) =>
    error.requestId === undefined
      ? each.message === error.message && at - each.at < SAME_ERROR_MS
      : each.requestId === error.requestId,
  );
  if (!known) set([{ ...error, id: (count += 1), at, page }, ...seen].slice(0, MAX_KEPT));
}

export const forgetErrors = (): void => set([]);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The errors shown since this page was loaded, newest first. */
export const seenErrors = (): readonly SeenError[] => seen;

export const useSeenErrors = (): readonly SeenError[] => useSyncExternalStore(subscribe, seenErrors);
