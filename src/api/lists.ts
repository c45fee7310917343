import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

import type { ListAnswer } from "~/contract/resource";

import { PAGE_SIZE, type PageParam, type Pages } from "./queries";

/** What `infinite()` returns, as far as reading one page of it goes. */
export interface List {
  readonly queryKey: QueryKey;
  readonly queryFn?: unknown;
}

type ReadPage = (context: {
  readonly pageParam: PageParam;
  readonly signal: AbortSignal;
}) => Promise<ListAnswer<unknown>>;

/** Rows kept above the one that is to stay in view, so that scrolling up a little needs no request. */
const ABOVE = 10;

/**
 * Reads the page that begins at `row` (from 0) and lets it be the whole list; the old rows stay until it is there.
 * Rejects with an ApiError, and the list is as it was.
 */
export async function startAt(client: QueryClient, list: List, row: number): Promise<void> {
  const { queryKey } = list;
  const readPage = list.queryFn as ReadPage;
  const pageParam: PageParam = { skip: Math.max(0, Math.trunc(row)) };
  const page = await client.query({
    // Under the list's own key, so that whoever watches the list for activity sees this one too.
    queryKey: [...queryKey, "page", pageParam.skip],
    queryFn: ({ signal }) => readPage({ pageParam, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  // A page that is on its way was asked for by the old list, and would bring that back.
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Pages<unknown>>(queryKey, { pages: [page], pageParams: [pageParam] });
}

/** Reads a list anew where the person is in it, and drops the rest (see `keepPlace`). */
export const refresh = (client: QueryClient, list: List): Promise<void> =>
  startAt(client, list, anchorOf(placeOf(client, list.queryKey)));

/** Reads the first page of a list anew and keeps only that. */
export const refreshFirstPage = (client: QueryClient, list: List): Promise<void> => startAt(client, list, 0);

const places = new WeakMap<QueryClient, Map<string, number>>();

/** Tells which row is the first in view, so that reading the list anew does not lose it. */
export function keepPlace(client: QueryClient, list: Pick<List, "queryKey">, row: number): void {
  const kept = places.get(client) ?? new Map<string, number>();
  places.set(client, kept.set(hashKey(list.queryKey), row));
}

/** The first row in view, as told last; 0 when nobody told. */
export const placeOf = (client: QueryClient, queryKey: QueryKey): number =>
  places.get(client)?.get(hashKey(queryKey)) ?? 0;

/** Where to begin reading so that `row` is in the middle of things: at the very top as long as that shows it. */
export const anchorOf = (row: number): number => (row < PAGE_SIZE - 2 * ABOVE ? 0 : row - ABOVE);
