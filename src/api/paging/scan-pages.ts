import type { QueryKey } from "@tanstack/react-query";

import type { ListAnswer } from "~/contract/resource";

import type { QueryFacts } from "../client/request-info";
import type { PageParam } from "./pages";
import { compareBy } from "./scan-order";

export interface Item {
  readonly uid: string;
}

/** What `infinite()` returns for a list with `page_size: 200`, as far as reading its pages goes. */
export interface PagedList {
  readonly queryKey: QueryKey;
  readonly queryFn?: unknown;
  readonly meta?: QueryFacts | undefined;
}

type ReadPage<T> = (context: {
  readonly pageParam: PageParam;
  readonly signal: AbortSignal;
}) => Promise<ListAnswer<T>>;

/** Whether and when a page that failed is asked for again: as for any read (`query-client.ts`). */
export interface Patience {
  readonly retry: (failures: number, error: Error) => boolean;
  /** In ms. */
  readonly retryDelay: (failures: number, error: Error) => number;
}

/** Where the reading of a list stands: enough to go on from there, also much later. Its size is that of two pages. */
export interface Cursor {
  /** Of the next page; undefined before the first one. */
  readonly token?: string | undefined;
  /** When the token was given, in ms. */
  readonly since: number;
  /** How many rows of the list lie behind. */
  readonly read: number;
  readonly total: number | undefined;
  readonly done: boolean;
  /** The uids of the first page and of the newest one: what a list that began again is known by. */
  readonly head: ReadonlySet<string>;
  readonly tail: ReadonlySet<string>;
  readonly last: Item | undefined;
  /** How often in a row it was looked for the place without getting further. */
  readonly astray: number;
}

export interface Read<T> {
  /** In the order of the list, without the rows of the page before. */
  readonly items: readonly T[];
  /** Goes on behind these rows. */
  readonly cursor: Cursor;
}

const NONE: ReadonlySet<string> = new Set();
export const START: Cursor = {
  since: 0,
  read: 0,
  total: undefined,
  done: false,
  head: NONE,
  tail: NONE,
  last: undefined,
  astray: 0,
};

/** Page tokens last three days (AIP-158 leaves it to the service); an older one begins again without a word. */
const TOKEN_LIFE = 3 * 24 * 60 * 60 * 1000;
/** How far before the supposed place it is looked for, in rows: some before it may have been deleted meanwhile. */
const STEPS_BACK = [50, 250];

type Ask<T> = (param: PageParam) => Promise<ListAnswer<T>>;

/**
 * Reads a list to its end, page by page; the next page is on its way while somebody works on this one. To go on after a
 * stop or a failure begin again with the newest `cursor`. Passing failures are tried again with `patience`; the last one
 * is thrown, an ApiError, as is the reason of `signal`.
 */
export async function* readPages<T extends Item>(
  { queryKey, queryFn }: PagedList,
  cursor: Cursor,
  patience: Patience,
  signal: AbortSignal,
): AsyncGenerator<Read<T>, void> {
  const readPage = queryFn as ReadPage<T>;
  const ask: Ask<T> = (pageParam) => persistently(() => readPage({ pageParam, signal }), patience, signal);
  const after = (from: Cursor): Promise<Read<T>> | undefined =>
    from.done ? undefined : follow(from, ask, orderOf(queryKey));

  let next = after(cursor);
  while (next) {
    const read = await next;
    next = after(read.cursor);
    // Whether it failed is of interest when its turn comes.
    next?.catch(() => undefined);
    yield read;
  }
}

/** The order_by of a list. */
export const orderOf = (queryKey: QueryKey): string | undefined =>
  (queryKey[2] as { order_by?: string }).order_by;

/** The page that a cursor leads to. */
async function follow<T extends Item>(
  cursor: Cursor,
  ask: Ask<T>,
  orderBy: string | undefined,
): Promise<Read<T>> {
  const { token, since, read, tail } = cursor;
  if (token === undefined) {
    const page = await ask({});
    return behind(cursor, page, page.items.length);
  }
  const page = Date.now() - since < TOKEN_LIFE ? await ask({ token }).catch(orRefused) : undefined;
  if (!page || beganAgain(page.items, cursor, orderBy)) return findPlace(cursor, ask);
  const items = page.items.filter(({ uid }) => !tail.has(uid));
  return behind({ ...cursor, astray: 0 }, page, read + page.items.length, items);
}

/** A token that the service no longer takes is as good as none. */
function orRefused(error: unknown): undefined {
  if ((error as { code?: unknown }).code === "INVALID_ARGUMENT") return undefined;
  throw error;
}

/**
 * Whether the service answered an old token with row one, which it may do silently: half of the rows are known
 * already, or the first one does not follow the last one read.
 */
function beganAgain(
  items: readonly Item[],
  { head, tail, last }: Cursor,
  orderBy: string | undefined,
): boolean {
  const known = items.filter(({ uid }) => head.has(uid) || tail.has(uid)).length;
  const [first] = items;
  const backwards = first && last && (compareBy(orderBy, last, first) ?? 0) > 0;
  return known > items.length / 2 || backwards === true;
}

/** Finds the newest rows by their number in the list and goes on behind them; where they are gone, from row one. */
async function findPlace<T extends Item>(cursor: Cursor, ask: Ask<T>): Promise<Read<T>> {
  const { read, tail, astray } = cursor;
  if (astray > 3) throw new Error("The service keeps beginning this list again.");
  for (const back of STEPS_BACK) {
    const skip = read - back;
    if (skip <= 0) break;
    const page = await ask({ skip });
    const known = page.items.findLastIndex(({ uid }) => tail.has(uid));
    if (known < 0) continue;
    const items = page.items.slice(known + 1);
    const found = { ...cursor, astray: items.length > 0 ? 0 : astray + 1 };
    return behind(found, page, skip + page.items.length, items);
  }
  const page = await ask({});
  return behind({ ...cursor, astray: astray + 1 }, page, page.items.length);
}

function behind<T extends Item>(
  cursor: Cursor,
  page: ListAnswer<T>,
  read: number,
  items: readonly T[] = page.items,
): Read<T> {
  const uids = page.items.length > 0 ? new Set(page.items.map(({ uid }) => uid)) : cursor.tail;
  return {
    items,
    cursor: {
      token: page.nextPageToken,
      since: Date.now(),
      read,
      total: countOf(page.totalCount) ?? cursor.total,
      done: page.nextPageToken === undefined,
      head: cursor.head === NONE ? uids : cursor.head,
      tail: uids,
      last: page.items.at(-1) ?? cursor.last,
      astray: cursor.astray,
    },
  };
}

/** An int64 as a number: a list with more rows than are exact in one is never read to its end. */
const countOf = (totalCount: string | undefined): number | undefined =>
  totalCount !== undefined && /^\d+$/.test(totalCount) ? Number(totalCount) : undefined;

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
