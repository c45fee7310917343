import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

import type { ListAnswer } from "~/contract/resource";

import { PAGE_SIZE, type PageParam, type Pages } from "../paging/pages";

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

/** How often a page is read that is behind the times when it arrives. */
const TRIES = 3;

/** What this page knows of its lists, beside their rows. */
interface Notes {
  /** The first row in view, by the list's key. */
  readonly places: Map<string, number>;
  /** How often a list was told to begin elsewhere, by its key. */
  readonly turns: Map<string, number>;
  /** How often something was written, by collection. */
  readonly writes: Map<unknown, number>;
}

const notes = new WeakMap<QueryClient, Notes>();

function notesOf(client: QueryClient): Notes {
  const known = notes.get(client);
  if (known) return known;
  const made: Notes = { places: new Map(), turns: new Map(), writes: new Map() };
  notes.set(client, made);
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "removed") return;
    made.places.delete(query.queryHash);
    made.turns.delete(query.queryHash);
  });
  return made;
}

/** How often it was asked where this list begins. */
const turnOf = (client: QueryClient, queryKey: QueryKey): number =>
  notesOf(client).turns.get(hashKey(queryKey)) ?? 0;

/** A record of the collection was changed: a page that was asked for before may not know of it. */
export function noteWrite(client: QueryClient, collection: string): void {
  const { writes } = notesOf(client);
  writes.set(collection, (writes.get(collection) ?? 0) + 1);
}

/**
 * Reads the page that begins at `row` (from 0) and lets it be the whole list; the old rows stay until it is there.
 * Rejects with an ApiError, and the list is as it was.
 */
export async function startAt(client: QueryClient, list: List, row: number): Promise<void> {
  const { queryKey } = list;
  const readPage = list.queryFn as ReadPage;
  const skip = Math.max(0, Math.trunc(row));
  const pageParam: PageParam = { skip };
  const { turns, writes } = notesOf(client);
  const key = hashKey(queryKey);
  const turn = (turns.get(key) ?? 0) + 1;
  turns.set(key, turn);
  let page: ListAnswer<unknown>;
  let before: number | undefined;
  let tries = 0;
  do {
    before = writes.get(queryKey[0]);
    page = await client.query({
      // Under the list's own key, so that whoever watches the list for activity sees this one too.
      queryKey: [...queryKey, "page", skip, turn],
      queryFn: ({ signal }) => readPage({ pageParam, signal }),
      staleTime: 0,
      gcTime: 0,
    });
    // Whoever asked last decides where the list begins.
    if (turns.get(key) !== turn) return;
    // What was written while the page was on its way may be missing from it, or still be there.
  } while (writes.get(queryKey[0]) !== before && ++tries < TRIES);
  // A page that is on its way was asked for by the old list, and would bring that back.
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Pages<unknown>>(queryKey, { pages: [page], pageParams: [pageParam] });
}

/**
 * Reads a list anew where the person is in it, and drops the rest (see `keepPlace`). When that fails the rows stay, and
 * the list's own query says why.
 */
export async function refresh(client: QueryClient, list: List): Promise<void> {
  const { queryKey } = list;
  const turn = turnOf(client, queryKey) + 1;
  try {
    await startAt(client, list, anchorOf(placeOf(client, queryKey)));
  } catch (error) {
    const query = client.getQueryCache().find({ queryKey, exact: true });
    // Somebody has asked again since: that answer counts.
    if (turnOf(client, queryKey) !== turn) return;
    query?.setState({
      status: "error",
      error: error as Error,
      errorUpdatedAt: Date.now(),
      // Else the failure would seem to be that of the next page.
      fetchMeta: null,
    });
  }
}

/** Reads the first page of a list anew and keeps only that. */
export const refreshFirstPage = (client: QueryClient, list: List): Promise<void> => startAt(client, list, 0);

/** Tells which row is the first in view, so that reading the list anew does not lose it. */
export function keepPlace(client: QueryClient, list: Pick<List, "queryKey">, row: number): void {
  notesOf(client).places.set(hashKey(list.queryKey), row);
}

/** The first row in view, as told last; 0 when nobody told. */
export const placeOf = (client: QueryClient, queryKey: QueryKey): number =>
  notesOf(client).places.get(hashKey(queryKey)) ?? 0;

/** Where to begin reading so that `row` is in the middle of things: at the very top as long as that shows it. */
export const anchorOf = (row: number): number => (row < PAGE_SIZE - 2 * ABOVE ? 0 : row - ABOVE);
