import type { Query, QueryClient } from "@tanstack/react-query";

import { refresh } from "../queries/lists";

/** True if data on screen failed to load, or is known to be stale. */
const isBehind = (query: Query): boolean =>
  query.isActive() &&
  query.state.fetchStatus === "idle" &&
  (query.state.status === "error" || query.state.isInvalidated);

/** Refetches, once, what is on screen and stale or failed; for a list, only the page in view. */
export function refetchStale(client: QueryClient): void {
  for (const query of client.getQueryCache().findAll({ predicate: isBehind })) {
    const { queryKey, state, options } = query;
    if (queryKey[1] === "list" && state.data !== undefined && options.queryFn)
      void refresh(client, { queryKey, queryFn: options.queryFn });
    else void query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
  }
}
