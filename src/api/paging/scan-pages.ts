import type { QueryKey } from "@tanstack/react-query";

import type { ListAnswer } from "~/contract/resource";

import type { QueryFacts } from "../client/request-info";
import { orderOf } from "./order";
import { readPage, type Ask, type Cursor, type Item, type Read } from "./page-reader";
import type { PageParam } from "./pages";

export type { Item } from "./page-reader";

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

/** Whether and when to retry a failed page: as for any read (`query-client.ts`). */
export interface Patience {
  readonly retry: (failures: number, error: Error) => boolean;
  /** In ms. */
  readonly retryDelay: (failures: number, error: Error) => number;
}

/**
 * Reads a list to its end, or until `most` rows of it are read, page by page, and prefetches the next page while the caller processes this one. To continue
 * after a stop or a failure, start again with the newest `cursor`. Retries transient failures with `patience`. Throws
 * the last ApiError, or the reason of `signal`.
 */
export async function* readPages<T extends Item>(
  { queryKey, queryFn }: PagedList,
  cursor: Cursor,
  patience: Patience,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Read<T>, void> {
  const ask: Ask<T> = (pageParam) =>
    persistently(() => (queryFn as ReadPage<T>)({ pageParam, signal }), patience, signal);
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

async function persistently<A>(
  work: () => Promise<A>,
  { retry, retryDelay }: Patience,
  signal: AbortSignal,
): Promise<A> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (cause) {
      const error = cause as Error;
      if (signal.aborted || !retry(failures, error)) throw error;
      await pause(retryDelay(failures, error), signal);
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
