import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

import { anchorOf, keepPlace, refresh, startAt } from "~/api/queries/lists";
import { rowsOf, type infinite } from "~/api/queries/queries";
import type { ListQuery } from "platform-contract/resource";

import type { ListSearch } from "./list-search";
import type { Scope } from "~/frame/scope/scope";
import { paramToUid } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";

interface ListOptions<T, D extends string> {
  /** From `infinite()`. */
  readonly list: ReturnType<typeof infinite<T, ListQuery>>;
  readonly scope: Scope;
  readonly search: ListSearch<D>;
  readonly defaultOrder: string;
  /** False if the rows come from elsewhere, or while that is undecided. */
  readonly enabled: boolean;
  /** Key of the set of rows, if not scope and search parameters. */
  readonly view?: string;
}

/** The search parameters that do not decide which rows a list has. */
const ARRANGED = { order: undefined, at: undefined, columns: undefined, drawer: undefined, item: undefined };

const rowKey = ({ uid }: { readonly uid: string }): string => uid;

/** A list screen's rows, and the props that its table and its drawers take from the address. */
export function useList<T extends { readonly uid: string }, D extends string>(options: ListOptions<T, D>) {
  const { list, scope, search, defaultOrder, enabled } = options;
  const client = useQueryClient();
  const router = useRouter();
  const { show } = useView<ListSearch<D>>();
  const query = useInfiniteQuery({ ...list, enabled, placeholderData: keepPreviousData });
  const { rows, first, total } = rowsOf(query.data);
  const at = Number(search.at ?? 0);
  // Where to reload the list after a create, whether the position is from a link or from scrolling.
  useEffect(() => keepPlace(client, list, at));
  const item = search.item === undefined ? undefined : paramToUid(search.item);
  /** Scope and filters as text: when it changes, the list starts at its top again and the selection is cleared. */
  const { view = JSON.stringify([scope, { ...search, ...ARRANGED }]) } = options;
  return {
    view,
    queryKey: list.queryKey,
    /** For the table, whatever the source of its rows. */
    table: {
      rowKey,
      view,
      order: search.order ?? defaultOrder,
      onOrder: (order: string) => show({ order: order === defaultOrder ? undefined : order, at: undefined }),
      at: at || undefined,
      onAt: (row: number | undefined) => {
        // A navigation under way can be to another order, where this place means nothing.
        if (router.state.isLoading) return false;
        show({ at: row === undefined ? undefined : String(row) }, true);
        return true;
      },
    },
    /** For the table, if its rows are read by page. */
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
