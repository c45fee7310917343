import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

import { asError } from "platform-client/errors";
import type { ListAnswer } from "platform-contract/resource";

import { PAGE_SIZE, type PageParam, type Pages } from "../paging/pages";

/** The parts of an `infinite()` list that are needed to read one page. */
export interface List {
  readonly queryKey: QueryKey;
  readonly queryFn?: unknown;
}

type ReadPage = (context: {
  readonly pageParam: PageParam;
  readonly signal: AbortSignal;
}) => Promise<ListAnswer<unknown>>;

/** Rows kept above the row that must stay in view, so that scrolling up a little needs no request. */
const ROWS_ABOVE = 10;

/** How often to read a page that is outdated when it arrives. */
const MAX_ATTEMPTS = 3;

/** What this page knows about its lists, in addition to their rows. */
interface Notes {
  /** The first row in view, by the list's key. */
  readonly places: Map<string, number>;
  /** How often a list was moved to another first row, by its key. */
  readonly turns: Map<string, number>;
  /** Number of writes, by collection. */
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

/** How often this list was moved to another first row. */
const turnOf = (client: QueryClient, queryKey: QueryKey): number =>
  notesOf(client).turns.get(hashKey(queryKey)) ?? 0;

/** Called when a record of the collection was changed: a page requested before may not include the change. */
export function noteWrite(client: QueryClient, collection: string): void {
  const { writes } = notesOf(client);
  writes.set(collection, (writes.get(collection) ?? 0) + 1);
}

/**
 * Reads the page that starts at `row` (from 0) and makes it the whole list; the old rows stay until it arrives.
 * Rejects with an ApiError, and leaves the list as it was.
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
      // Under the list's own key, so that code that watches the list for activity sees this one too.
      queryKey: [...queryKey, "page", skip, turn],
      queryFn: ({ signal }) => readPage({ pageParam, signal }),
      staleTime: 0,
      gcTime: 0,
    });
    // The latest call decides where the list starts.
    if (turns.get(key) !== turn) return;
    // The page may miss writes made while it was in flight, or still have rows deleted since.
  } while (writes.get(queryKey[0]) !== before && ++tries < MAX_ATTEMPTS);
  // A page in flight belongs to the old list, and would bring that back.
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Pages<unknown>>(queryKey, { pages: [page], pageParams: [pageParam] });
}

/**
 * Refetches a list at the user's position, and drops the rest (see `keepPlace`). If that fails, the rows stay, and the
 * list's own query has the error.
 */
export async function refresh(client: QueryClient, list: List): Promise<void> {
  const { queryKey } = list;
  const turn = turnOf(client, queryKey) + 1;
  try {
    await startAt(client, list, anchorOf(placeOf(client, queryKey)));
  } catch (error) {
    const query = client.getQueryCache().find({ queryKey, exact: true });
    // A later call has replaced this one: its result counts.
    if (turnOf(client, queryKey) !== turn) return;
    query?.setState({
      status: "error",
      error: asError(error),
      errorUpdatedAt: Date.now(),
      // Otherwise the failure would look like that of the next page.
      fetchMeta: null,
    });
  }
}

/** Refetches the first page of a list and keeps only that. */
export const refreshFirstPage = (client: QueryClient, list: List): Promise<void> => startAt(client, list, 0);

/** Notes the first row in view, so that refetching the list does not lose it. */
export function keepPlace(client: QueryClient, list: Pick<List, "queryKey">, row: number): void {
  notesOf(client).places.set(hashKey(list.queryKey), row);
}

/** The first row in view, as last noted; 0 if it never was. */
export const placeOf = (client: QueryClient, queryKey: QueryKey): number =>
  notesOf(client).places.get(hashKey(queryKey)) ?? 0;

/** The row to start reading at so that `row` has others above it: the very top as long as that shows it. */
export const anchorOf = (row: number): number => (row < PAGE_SIZE - 2 * ROWS_ABOVE ? 0 : row - ROWS_ABOVE);
