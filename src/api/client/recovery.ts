import type { Query, QueryClient } from "@tanstack/react-query";

import { refresh } from "../queries/lists";

/** Whether what is on screen is missing something that the service did not answer, or is known to be out of date. */
const isBehind = (query: Query): boolean =>
  query.isActive() &&
  query.state.fetchStatus === "idle" &&
  (query.state.status === "error" || query.state.isInvalidated);

/** Reads again, once, what is on screen and could not be read: a list one page of it, where the person is. */
export function refetchStale(client: QueryClient): void {
  for (const query of client.getQueryCache().findAll({ predicate: isBehind })) {
    const { queryKey, state, options } = query;
    if (queryKey[1] === "list" && state.data !== undefined && options.queryFn)
      void refresh(client, { queryKey, queryFn: options.queryFn });
    else void query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
  }
}
