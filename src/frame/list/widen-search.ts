import type { QueryClient } from "@tanstack/react-query";

import { rowsOf } from "~/api/queries/queries";

import type { Item, ListView } from "~/frame/define";
import type { ListScreen } from "./list-screen";

/** The part of the router's history that is read. */
interface Place {
  readonly location: { readonly pathname: string; readonly search: string };
}

/**
 * Applies the next filter of the search field to a text if the service finds nothing for `view`, which is on screen;
 * does nothing if the user has moved on meanwhile.
 */
export async function widenSearch<T extends Item, I>(
  { screens, scope, replace }: ListScreen<T, I>,
  client: QueryClient,
  history: Place,
  text: string,
  view: ListView,
): Promise<void> {
  const asked = screens.search.shownIn(view);
  const next = screens.search.change(text, asked);
  if (asked === undefined || !next) return;
  const { pathname } = history.location;
  const { rows } = rowsOf(await client.fetchInfiniteQuery(screens.resolve(scope, view).list));
  const now = history.location;
  const waiting = now.pathname === pathname && new URLSearchParams(now.search).get(asked) === view[asked];
  if (rows.length === 0 && waiting) replace(next);
}
