import { QueryClient, type Query } from "@tanstack/react-query";
import { ApiError } from "platform-client/errors";
import { askedWait, retryDelay } from "platform-client/retry";

import { isDown } from "../client/connection";
import { evictInactive } from "./evict-inactive";

/**
 * Reads again what was invalidated during its first load. React Query then reuses the running fetch, whose answer may be
 * older than the write, and takes it for fresh; only a query that already has data is canceled and started again.
 */
function rereadInvalidated(client: QueryClient): void {
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

const MAX_RETRIES = 3;
/** Seconds: if a response asks for a longer wait, show it with the time that is left instead of waiting. */
const LONGEST_WAIT_SECONDS = 3;

/** Retries reads if that can help, three times at most; never what the service has refused. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.passing || failures >= MAX_RETRIES) return false;
  // Already known and shown; missing data is refetched when the service is reachable again.
  if (error.kind === "unreachable" && isDown()) return false;
  return askedWait(error) <= LONGEST_WAIT_SECONDS;
}

/** True if a failed query can be refetched because another component needs it: not before its `retryAt`. */
export const mayAskAgain = ({ state: { error } }: { readonly state: { readonly error: unknown } }): boolean =>
  !(error instanceof ApiError && (error.retryAt ?? 0) > Date.now());

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay,
        retryOnMount: mayAskAgain,
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        // Rows must not move because the user looked away.
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // `navigator.onLine` is false on a machine without a network, where a service on loopback still works.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  evictInactive(client.getQueryCache());
  rereadInvalidated(client);
  return client;
}
