import type { RequestInfo } from "platform-client/request-info";

/** What a query declares about itself, in addition to its key. */
export interface QueryFacts extends Record<string, unknown> {
  /** The first request of each kind that it makes, without page tokens. `data`: the query's data. */
  requests?(data: unknown): readonly RequestInfo[];
}

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: QueryFacts;
  }
}

/** The requests of a query; empty if it does not declare any. */
export const requestInfoOf = (meta: QueryFacts | undefined, data?: unknown): readonly RequestInfo[] =>
  meta?.requests?.(data) ?? [];
