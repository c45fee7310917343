import { infiniteQueryOptions, queryOptions, type InfiniteData } from "@tanstack/react-query";

import { invalidResponse } from "platform-client/errors";
import { totalOf } from "platform-client/wire";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import type { QueryFacts } from "../client/request-info";
import { call } from "../client/client";
import { readPage, START, uidsOf, type PagedItem } from "../paging/page-reader";
import { firstOf, MAX_PAGES, OVERLAP, PAGE_SIZE, type PageParam, type Pages } from "../paging/pages";

/** The first part of every key of a collection is its name, the second the kind of data. */
export type ListKey = readonly [collection: string, verb: string, query: object];

/**
 * A list as an infinite query over page tokens (AIP-158). `query` holds scope, filters and order, never a token.
 *
 * A list can start at any row (`skip`): pages behind it follow by token, pages in front of it by `skip`. Use `startAt`
 * to move an existing list elsewhere and `refresh` to refetch it, both in `lists.ts`.
 *
 * When React Query refetches such a query (an invalidation, a mount, `refetch()`), it reads one page, the first one
 * held, and drops the others: a list is never refetched page by page.
 */
export function infinite<T, Q extends ListQuery>(
  list: Endpoint<Q, undefined, ListAnswer<T>>,
  query: NoInfer<Q>,
  {
    skip = 0,
    maxPages = MAX_PAGES,
    path,
  }: {
    readonly skip?: number;
    readonly maxPages?: number;
    /** For a list whose path has variables. Their names must not be query parameters too. */
    readonly path?: Readonly<Record<string, string>>;
  } = {},
) {
  const onePage = { pages: 1 };
  const initialPageParam: PageParam = { skip };
  const queryKey: ListKey = [list.collection, list.verb, path ? { ...path, ...query } : query];
  const read = (param: PageParam, signal: AbortSignal): Promise<ListAnswer<T>> =>
    call(list, { ...(path && { path }), query: pageQuery(query, param), signal });
  /** Completes a page in front of others if the service returned fewer rows than requested (AIP-158). */
  async function whole(page: ListAnswer<T>, param: PageParam, signal: AbortSignal): Promise<ListAnswer<T>> {
    const { size = 0, before } = param;
    const { items, nextPageToken: token } = page;
    const ends = items.some((item) => uidOf(item) === before);
    if (ends || token === undefined || items.length >= size) return page;
    const rest: PageParam = { token, size: size - items.length, before };
    const more = await whole(await read(rest, signal), rest, signal);
    return { ...more, items: [...items, ...more.items] };
  }
  return infiniteQueryOptions({
    ...onePage,
    maxPages,
    queryKey,
    meta: {
      requests: (held: Pages<T> | undefined) => [
        {
          endpoint: list,
          ...(path && { path }),
          query: pageQuery(query, { skip: firstOf(held?.pageParams[0] ?? { skip }) }),
        },
      ],
    } satisfies QueryFacts,
    queryFn: async ({ client, queryKey, pageParam, signal }): Promise<ListAnswer<T>> => {
      // A scan reads pages without holding them.
      const state = client?.getQueryState<Pages<T & PagedItem>>(queryKey);
      // The first page held is refetched by its row: its token, if it has one, may have expired long ago.
      const again = state?.data?.pageParams[0] === pageParam;
      const param = again ? { skip: firstOf(pageParam) } : pageParam;
      if (param.token !== undefined && state?.data)
        return readBehind(state.data, state.dataUpdatedAt, param, query.order_by, (to) => read(to, signal));
      const page = await read(param, signal);
      return param.before === undefined ? page : endBefore(await whole(page, param, signal), param.before);
    },
    initialPageParam,
    getNextPageParam: (page, _pages, param): PageParam | undefined => {
      if (!page.nextPageToken) return undefined;
      const first = firstOf(param) + page.items.length;
      // The token of a page in front of others points past its overlap with them.
      return param.size === undefined ? { token: page.nextPageToken, first } : { skip: first };
    },
    getPreviousPageParam: (page, _pages, param): PageParam | undefined => {
      const first = firstOf(param);
      const start = Math.max(0, first - PAGE_SIZE);
      const before = uidOf(page.items[0]);
      return first > 0 ? { skip: start, size: first - start, before } : undefined;
    },
    // Refreshing a list of one page when it is shown again is cheap; a longer one would lose its place.
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? Infinity : 30_000),
  });
}

/** Reads the page after those held, whose last token was issued at `since` (ms). */
async function readBehind<T>(
  { pages }: Pages<T & PagedItem>,
  since: number,
  param: PageParam,
  orderBy: string | undefined,
  ask: (param: PageParam) => Promise<ListAnswer<T>>,
): Promise<ListAnswer<T>> {
  const all = pages.map(({ items }) => items).filter(({ length }) => length > 0);
  const [head = [], tail = []] = [all[0], all.at(-1)];
  const { page, cursor } = await readPage(
    {
      ...START,
      token: param.token,
      since,
      read: firstOf(param),
      head: uidsOf(head),
      tail: uidsOf(tail),
      last: tail.at(-1),
    },
    // A list that is read by tokens has rows with uids.
    ask as (param: PageParam) => Promise<ListAnswer<T & PagedItem>>,
    orderBy,
  );
  const held = uidsOf(all.flat());
  // A list that returns the same rows again and again has no end.
  if (!cursor.done && cursor.relocated > 0 && page.items.every(({ uid }) => held.has(uid)))
    throw invalidResponse();
  return page;
}

/** Not every list has rows with uids. */
function uidOf(row: unknown): string | undefined {
  const { uid }: { uid?: string } = Object(row);
  return uid;
}

/** Drops the row `uid` and those after it, if the page has that row. */
function endBefore<T>(page: ListAnswer<T>, uid: string): ListAnswer<T> {
  const end = page.items.findIndex((item) => uidOf(item) === uid);
  return end < 0 ? page : { ...page, items: page.items.slice(0, end) };
}

export const pageQuery = <Q extends ListQuery>(query: Q, { token, skip = 0, size }: PageParam): Q => ({
  ...query,
  page_size: size === undefined ? (query.page_size ?? PAGE_SIZE) : size + OVERLAP,
  ...(token !== undefined && { page_token: token }),
  ...(skip > 0 && { skip }),
});

/** One record. */
export const one = <T>(get: Endpoint<object, undefined, T>, { uid }: { readonly uid: string }) =>
  queryOptions({
    queryKey: [get.collection, "get", uid] as const,
    meta: { requests: () => [{ endpoint: get, path: { uid } }] } satisfies QueryFacts,
    queryFn: ({ signal }) => call(get, { path: { uid }, signal }),
  });

/** How many records a list has; undefined if the service does not count. A bigint only if a number is not exact. */
export const total = <T, Q extends ListQuery>(
  list: Endpoint<Q, undefined, ListAnswer<T>>,
  query: NoInfer<Q>,
) =>
  queryOptions({
    queryKey: [list.collection, "total", query] as const,
    meta: { requests: () => [{ endpoint: list, query: { ...query, page_size: 1 } }] } satisfies QueryFacts,
    queryFn: ({ signal }) => call(list, { query: { ...query, page_size: 1 }, signal }),
    select: totalOf,
  });

export interface Rows<T> {
  readonly rows: readonly T[];
  /** The number of the first row in the whole list, from 0. */
  readonly first: number;
  /** For the whole list, from the newest page with a count; undefined if the service does not count. */
  readonly total: number | bigint | undefined;
}

const NONE: Rows<never> = { rows: [], first: 0, total: undefined };
const known = new WeakMap<object, Rows<unknown>>();

/**
 * The rows of all loaded pages, each once: a row can move between two pages and come twice. Tables rely on that; a scan
 * (`paging/scan.ts`) does the same for its own rows. Memoized by `data`.
 */
export function rowsOf<T extends { readonly uid?: string }>(
  data: InfiniteData<ListAnswer<T>, unknown> | undefined,
): Rows<T> {
  if (!data) return NONE;
  const params = data.pageParams;
  const made = known.get(data) as Rows<T> | undefined;
  if (made) return made;
  const seen = new Set<string>();
  const rows = data.pages
    .flatMap((page) => page.items)
    .filter(({ uid }) => uid === undefined || (!seen.has(uid) && seen.add(uid)));
  const counted = data.pages.findLast((page) => page.totalCount !== undefined);
  const result: Rows<T> = {
    rows,
    first: params[0] ? firstOf(params[0]) : 0,
    total: counted && totalOf(counted),
  };
  known.set(data, result);
  return result;
}
