import type { QueryClient, QueryKey } from "@tanstack/react-query";

import type { ListAnswer } from "~/contract/resource";

import { ApiError } from "../client/errors";
import { anchorOf, isPlaceKept, placeOf, startAt } from "../queries/lists";
import { firstOf, type PageParam, type Pages } from "./pages";
import { isRestart, TOKEN_LIFE, type Row } from "./restart";

interface Asked<T> {
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
  readonly param: PageParam;
  readonly order: string | undefined;
  readonly signal: AbortSignal;
  readonly read: (param: PageParam, signal: AbortSignal) => Promise<ListAnswer<T>>;
}

/** Milliseconds in which a list is not read anew twice: then its tokens are not what is wrong. */
const SETTLED = 10_000;
/** Pages that are read again at once, of a list that always begins at its first row. */
const MOST = 20;

/**
 * The page behind the last one of a list. A token that is too old, or that leads to the beginning again, is of no use:
 * then the list is read anew where the person is, without a gap or a repeat, and takes the place of what was held.
 */
export async function readNext<T>(asked: Asked<T>): Promise<ListAnswer<T>> {
  const { client, queryKey, param, order, signal, read } = asked;
  const state = client.getQueryState<Pages<T>>(queryKey);
  const held = state?.data;
  if (!held) return read(param, signal);
  const rows = held.pages.flatMap(({ items }) => items);
  const old = Date.now() - state.dataUpdatedAt > TOKEN_LIFE;
  const page = old ? undefined : await readByToken(asked);
  // One that leads to itself is another matter: the list ends there.
  if (page?.nextPageToken !== undefined && page.nextPageToken === param.token) return page;
  if (page && !isRestart(rows as Row[], page as ListAnswer<Row>, order)) return page;

  const [first = {}] = held.pageParams;
  if (first.anew !== undefined && Date.now() - first.anew < SETTLED)
    return read({ skip: firstOf(param) }, signal);
  if (isPlaceKept(client, queryKey))
    await startAt(
      client,
      { queryKey, queryFn: ({ pageParam, signal: own }: Context) => read(pageParam, own) },
      anchorOf(placeOf(client, queryKey)),
      Date.now(),
    );
  else await readFromStart(asked, rows.length, first);
  // The list that this page was for is gone, and with it whoever waited for the page.
  signal.throwIfAborted();
  throw new ApiError("invalid", "The list was read anew.");
}

interface Context {
  readonly pageParam: PageParam;
  readonly signal: AbortSignal;
}

/** A service may also refuse a token that it no longer takes; that is not to be shown. */
async function readByToken<T>({ param, signal, read }: Asked<T>): Promise<ListAnswer<T> | undefined> {
  try {
    return await read(param, signal);
  } catch (error) {
    const refused = error instanceof ApiError && error.code === "INVALID_ARGUMENT";
    if (refused && error.violations.some(({ field }) => /^page_?token$/i.test(field))) return undefined;
    throw error;
  }
}

/** Reads as many rows again as there were. */
async function readFromStart<T>(asked: Asked<T>, wanted: number, first: PageParam): Promise<void> {
  const { client, queryKey, signal, read } = asked;
  const pages: ListAnswer<T>[] = [];
  const pageParams: PageParam[] = [];
  let next: PageParam | undefined = { skip: firstOf(first), anew: Date.now() };
  for (let count = 0; next && count < wanted && pages.length < MOST;) {
    const page: ListAnswer<T> = await read(next, signal);
    pages.push(page);
    pageParams.push(next);
    count += page.items.length;
    const { nextPageToken: token } = page;
    next =
      token === undefined || token === next.token
        ? undefined
        : { token, first: firstOf(next) + page.items.length };
  }
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Pages<T>>(queryKey, { pages, pageParams });
}
