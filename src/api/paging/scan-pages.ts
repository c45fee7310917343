import type { QueryKey } from "@tanstack/react-query";

import { asError } from "platform-client/errors";
import { pause } from "platform-client/retry";
import type { ListAnswer } from "platform-contract/resource";

import type { QueryFacts } from "../client/request-info";
import { orderOf } from "./order";
import { readPage, type Ask, type Cursor, type PagedItem, type Read } from "./page-reader";
import type { PageParam } from "./pages";
import type { RetryPolicy } from "./retry-policy";

export type { PagedItem } from "./page-reader";

/** The parts of an `infinite()` list with `page_size: 200` that are needed to read its pages. */
export interface PagedList {
  readonly queryKey: QueryKey;
  readonly queryFn?: unknown;
  readonly meta?: QueryFacts | undefined;
}

type ReadPage<T> = (context: {
  readonly pageParam: PageParam;
  readonly signal: AbortSignal;
}) => Promise<ListAnswer<T>>;

/**
 * Reads a list page by page, to its end or until `most` rows are read, and prefetches the next page while the caller
 * processes this one. To continue after a stop or a failure, start again with the newest `cursor`. Retries transient
 * failures with `retryPolicy`. Throws the last ApiError, or the reason of `signal`.
 */
export async function* readPages<T extends PagedItem>(
  { queryKey, queryFn }: PagedList,
  cursor: Cursor,
  retryPolicy: RetryPolicy,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Read<T>, void> {
  const ask: Ask<T> = (pageParam) =>
    withRetries(() => (queryFn as ReadPage<T>)({ pageParam, signal }), retryPolicy, signal);
  const after = (from: Cursor): Promise<Read<T>> | undefined =>
    from.done || from.read >= most ? undefined : readPage(from, ask, orderOf(queryKey));

  let next = after(cursor);
  while (next) {
    const read = await next;
    next = after(read.cursor);
    // A failure is handled when its turn comes.
    next?.catch(() => undefined);
    yield read;
  }
}

/** Does it again after transient failures. Rejects with the last of them, or the reason of `signal`. */
export async function withRetries<A>(
  work: () => Promise<A>,
  { retry, retryDelay }: RetryPolicy,
  signal: AbortSignal,
): Promise<A> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (cause) {
      const error = asError(cause);
      if (signal.aborted || !retry(failures, error)) throw error;
      await pause(retryDelay(failures, error), signal);
    }
  }
}
