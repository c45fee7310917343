import type { Query, QueryCache } from "@tanstack/react-query";

/** What some twenty screens ask for, each with its counts, its way down and its names. */
const KEPT = 200;
/** ms: a screen that has just been drawn looks at its answers a moment later, when those of the last one are let go. */
const SOON = 1_000;

/**
 * Lets go of the answers that nobody has looked at for longest when there are more than `kept` of them. Time alone would:
 * but whoever goes through five hundred records in ten minutes would hold all of them.
 */
export function evictInactive(cache: QueryCache, kept = KEPT): void {
  /** Oldest first. */
  const unused = new Set<Query>();
  let due: ReturnType<typeof setTimeout> | undefined;

  function letGo(unless: (query: Query) => boolean): void {
    for (const query of unused) {
      if (unused.size <= kept) return;
      // What is on its way was asked for by somebody who is about to look at it.
      if (query.state.fetchStatus === "idle" && !unless(query)) cache.remove(query);
    }
  }
  function sweep(): void {
    due = undefined;
    // First what was never asked after all: rows that somebody scrolled past must not cost the list before its place.
    letGo(({ state }) => state.status !== "pending");
    letGo(() => false);
  }

  cache.subscribe(({ type, query }) => {
    if (type === "removed" || type === "observerAdded") unused.delete(query);
    if ((type !== "added" && type !== "observerRemoved") || query.getObserversCount() > 0) return;
    unused.delete(query);
    unused.add(query);
    if (unused.size > kept) due ??= setTimeout(sweep, SOON);
  });
}
