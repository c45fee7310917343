import { QueryClient } from "@tanstack/react-query";

import { isDown } from "../client/connection";
import { ApiError } from "../client/errors";
import { evictInactive } from "./evict-inactive";

const TRIES = 3;
/** Seconds: an answer that asks for more is shown, with the time that is left, rather than waited for. */
const PATIENCE = 3;

/** Reads are tried again when that may help, three times at most; never what the service has refused. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.passing || failures >= TRIES) return false;
  // Known by now, and said; what is missing is read again when the service can be reached.
  if (error.kind === "unreachable" && isDown()) return false;
  // Who says "too many requests" and not when to come back does not want another one.
  const wait = error.retryAfter ?? (error.http === 429 ? Infinity : 0);
  return wait <= PATIENCE;
}

/** Milliseconds before try `failures + 1`: 300, 900, 2700 give or take a third, and no less than the service asks. */
export function retryDelay(failures: number, error: unknown): number {
  const backOff = 300 * 3 ** failures * (2 / 3 + Math.random() * (2 / 3));
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(backOff, asked);
}

/** Whether what failed may be asked for again because one more part of the page needs it: not while it is to wait. */
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
        // Rows must not move because somebody looked away.
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // `navigator.onLine` is false on a machine without network, where a service on the loopback address works.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  evictInactive(client.getQueryCache());
  return client;
}
