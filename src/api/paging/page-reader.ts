import { ApiError, invalidResponse } from "platform-client/errors";
import type { ListAnswer } from "platform-contract/resource";

import { compareBy } from "./order";
import type { PageParam } from "./pages";

export interface PagedItem {
  readonly uid: string;
}

/** A position in a list: enough to continue reading, even much later. */
export interface Cursor {
  /** Token of the next page; undefined before the first one. */
  readonly token?: string | undefined;
  /** When the token was issued, in ms. */
  readonly since: number;
  /** Number of rows before the next page. */
  readonly read: number;
  readonly done: boolean;
  /** The uids of the first page and of the newest one, to detect a list that starts over. */
  readonly head: ReadonlySet<string>;
  readonly tail: ReadonlySet<string>;
  readonly last: PagedItem | undefined;
  /** How often in a row the position was looked up without progress. */
  readonly relocated: number;
}

export interface Read<T> {
  /** Without the rows of the previous page. */
  readonly page: ListAnswer<T>;
  /** Continues after these rows. */
  readonly cursor: Cursor;
}

export type Ask<T> = (param: PageParam) => Promise<ListAnswer<T>>;

const NONE: ReadonlySet<string> = new Set();
export const START: Cursor = {
  since: 0,
  read: 0,
  done: false,
  head: NONE,
  tail: NONE,
  last: undefined,
  relocated: 0,
};

/** Page tokens last three days (AIP-158), less a margin. For an older one the service silently returns row one. */
export const TOKEN_LIFETIME_MS = (3 * 24 - 1) * 60 * 60_000;
/** How many rows before the expected position to look: earlier rows may have been deleted since. */
const STEPS_BACK = [10, 50, 250];
const MAX_RELOCATIONS = 3;

export const uidsOf = (items: readonly PagedItem[]): ReadonlySet<string> =>
  new Set(items.map(({ uid }) => uid));

/**
 * Reads the page after a cursor, of any length (AIP-158). Falls back to the row number if the token is too old, is
 * refused, or returns the beginning of the list. Throws what `ask` throws.
 */
export async function readPage<T extends PagedItem>(
  cursor: Cursor,
  ask: Ask<T>,
  orderBy: string | undefined,
): Promise<Read<T>> {
  const { token, since, read, tail } = cursor;
  if (token === undefined) return readUpTo(cursor, await ask({}), 0);
  const page = Date.now() - since < TOKEN_LIFETIME_MS ? await ask({ token }).catch(orRefused) : undefined;
  if (!page || isRestart(page.items, cursor, orderBy)) return relocate(cursor, ask);
  const items = page.items.filter(({ uid }) => !tail.has(uid));
  return readUpTo({ ...cursor, relocated: 0 }, page, read, items);
}

/** The previous page was not refused, so only the token can be wrong. */
function orRefused(error: unknown): undefined {
  if (error instanceof ApiError && error.code === "INVALID_ARGUMENT") return undefined;
  throw error;
}

/** True if a page starts the list over: most of its rows are known, or the first one does not follow the last read. */
function isRestart(
  items: readonly PagedItem[],
  { head, tail, last }: Cursor,
  orderBy: string | undefined,
): boolean {
  const known = items.filter(({ uid }) => head.has(uid) || tail.has(uid)).length;
  const [first] = items;
  const backwards = first && last && (compareBy(orderBy, last, first) ?? 0) > 0;
  return known > items.length / 2 || backwards === true;
}

/** Finds the newest rows by row number and continues after them; from row one if they are gone. */
async function relocate<T extends PagedItem>(cursor: Cursor, ask: Ask<T>): Promise<Read<T>> {
  const { read, tail, relocated } = cursor;
  if (relocated > MAX_RELOCATIONS) throw invalidResponse();
  for (const back of STEPS_BACK) {
    const skip = read - back;
    if (skip <= 0) break;
    const page = await ask({ skip });
    const known = page.items.findLastIndex(({ uid }) => tail.has(uid));
    if (known < 0) continue;
    const items = page.items.slice(known + 1);
    return readUpTo({ ...cursor, relocated: items.length > 0 ? 0 : relocated + 1 }, page, skip, items);
  }
  return readUpTo({ ...cursor, relocated: relocated + 1 }, await ask({}), 0);
}

/** `start`: the row number of the page's first row. */
function readUpTo<T extends PagedItem>(
  cursor: Cursor,
  page: ListAnswer<T>,
  start: number,
  items: readonly T[] = page.items,
): Read<T> {
  const tail = page.items.length > 0 ? uidsOf(page.items) : cursor.tail;
  return {
    page: { ...page, items: [...items] },
    cursor: {
      token: page.nextPageToken,
      since: Date.now(),
      read: start + page.items.length,
      done: page.nextPageToken === undefined,
      head: cursor.head === NONE ? tail : cursor.head,
      tail,
      last: page.items.at(-1) ?? cursor.last,
      relocated: cursor.relocated,
    },
  };
}
