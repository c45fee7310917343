import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { anchorOf, keepPlace, refresh, startAt } from "~/api/queries/lists";
import { rowsOf, type infinite } from "~/api/queries/queries";
import type { ListQuery } from "~/contract/resource";

import type { ListSearch } from "./list-search";
import type { Scope } from "~/features/scope/scope";
import { paramToUid } from "~/features/scope/uid-param";
import { useView } from "./use-view";

interface ListOptions<T, D extends string> {
  /** As `infinite()` describes it. */
  readonly list: ReturnType<typeof infinite<T, ListQuery>>;
  readonly scope: Scope;
  readonly search: ListSearch<D>;
  readonly defaultOrder: string;
  /** False where something else brings the rows, or while it is not settled which. */
  readonly enabled: boolean;
  /** Which rows there are, as text, where that is not scope and search parameters. */
  readonly view?: string;
}

/** How the rows of a list stand in the address, apart from which they are. */
const ARRANGED = { order: undefined, at: undefined, drawer: undefined, item: undefined };

const rowKey = ({ uid }: { readonly uid: string }): string => uid;

/** A list screen's rows, and what of the address its table and its drawers are told. */
export function useList<T extends { readonly uid: string }, D extends string>(options: ListOptions<T, D>) {
  const { list, scope, search, defaultOrder, enabled } = options;
  const client = useQueryClient();
  const { show } = useView<ListSearch<D>>();
  const query = useInfiniteQuery({ ...list, enabled, placeholderData: keepPreviousData });
  const { rows, first, total } = rowsOf(query.data);
  const at = Number(search.at ?? 0);
  // Where the list is read anew after something was created, be the place from a link or from scrolling.
  useEffect(() => keepPlace(client, list, at));
  const item = search.item === undefined ? undefined : paramToUid(search.item);
  /** Scope and filters as text: with another one the list begins at its top again, and nothing is selected. */
  const { view = JSON.stringify([scope, { ...search, ...ARRANGED }]) } = options;
  return {
    view,
    queryKey: list.queryKey,
    /** For the table, whatever its rows come from. */
    table: {
      rowKey,
      view,
      order: search.order ?? defaultOrder,
      onOrder: (order: string) => show({ order: order === defaultOrder ? undefined : order, at: undefined }),
      at: at || undefined,
      onAt: (row: number | undefined) => show({ at: row === undefined ? undefined : String(row) }, true),
    },
    /** For the table, when its rows come page by page. */
    paged: {
      query,
      rows,
      total,
      firstRow: first,
      onJump: (row: number) => startAt(client, list, anchorOf(row)),
      onRefresh: () => refresh(client, list),
    },
    /** For the drawers. */
    opened: {
      drawer: search.drawer,
      item,
      known: item === undefined ? undefined : rows.find(({ uid }) => uid === item),
    },
  };
}
