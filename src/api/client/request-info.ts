import type { Endpoint } from "platform-contract/endpoint";

/** A request that a query or a write makes: enough to make it elsewhere. */
export interface RequestInfo {
  /** `id`: of the operation, where it is known, for its page in the API explorer. */
  readonly endpoint: Pick<Endpoint, "method" | "path" | "summary"> & { readonly id?: string };
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  /** As JSON. Secrets are replaced (`withoutSecrets`). */
  readonly body?: unknown;
  /** Why the change is made, in the words of the user. */
  readonly justification?: string | undefined;
}

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
