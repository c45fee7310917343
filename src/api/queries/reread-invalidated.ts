import type { Query, QueryClient } from "@tanstack/react-query";

/**
 * Reads again what was invalidated during its first load. React Query then reuses the running fetch, whose answer may be
 * older than the write, and takes it for fresh; only a query that already has data is canceled and started again.
 */
export function rereadInvalidated(client: QueryClient): void {
  const outdated = new WeakSet<Query>();
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const { action, query } = event;
    const { data, fetchStatus } = query.state;
    if (action.type === "invalidate" && data === undefined && fetchStatus !== "idle") outdated.add(query);
    if (action.type === "success" && !action.manual && outdated.delete(query))
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
}
