import type { Query, QueryCache } from "@tanstack/react-query";

/** The queries of about twenty screens, each with its counts, breadcrumbs and names. */
const MAX_INACTIVE = 200;
/** ms: a new screen subscribes to its queries a moment after it rendered, when the last one's are released. */
const EVICT_DELAY_MS = 1_000;

/**
 * Evicts the cache entries that were unused for longest if there are more than `kept` of them. `gcTime` would too, but
 * a user who goes through five hundred records in ten minutes would keep all of them in memory.
 */
export function evictInactive(cache: QueryCache, kept = MAX_INACTIVE): void {
  /** Oldest first. */
  const unused = new Set<Query>();
  let due: ReturnType<typeof setTimeout> | undefined;

  function letGo(unless: (query: Query) => boolean): void {
    for (const query of unused) {
      if (unused.size <= kept) return;
      // A query in flight was requested by a component that is about to use it.
      if (query.state.fetchStatus === "idle" && !unless(query)) cache.remove(query);
    }
  }
  function sweep(): void {
    due = undefined;
    // First queries that were never sent: rows that the user scrolled past must not cost the previous list its place.
    letGo(({ state }) => state.status !== "pending");
    letGo(() => false);
  }

  cache.subscribe(({ type, query }) => {
    if (type === "removed" || type === "observerAdded") unused.delete(query);
    if ((type !== "added" && type !== "observerRemoved") || query.getObserversCount() > 0) return;
    unused.delete(query);
    unused.add(query);
    if (unused.size > kept) due ??= setTimeout(sweep, EVICT_DELAY_MS);
  });
}
