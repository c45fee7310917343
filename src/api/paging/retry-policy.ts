import type { QueryClient } from "@tanstack/react-query";

/** Whether and when to retry a failed page. */
export interface RetryPolicy {
  readonly retry: (failures: number, error: Error) => boolean;
  /** In ms. */
  readonly retryDelay: (failures: number, error: Error) => number;
}

/** That of every read of this client (`query-client.ts`). */
export const retryPolicyOf = (client: QueryClient): RetryPolicy =>
  client.getDefaultOptions().queries as RetryPolicy;
