import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";

import type { Scan } from "~/api/paging/scan";
import type { PagedList, Patience } from "~/api/paging/scan-pages";
import type { ListTable } from "~/ui/table/list-table";
import { READ } from "~/ui/table/types";

type TableProps<T> = Parameters<typeof ListTable<T>>[0];

/** What a list's table is told of its rows when a scan finds them. */
export type ScanRows<T> = Pick<TableProps<T>, "query" | "rows" | "total" | "emptyState" | "end">;

export interface ScanWords {
  /** Plural: "identities". */
  what: string;
  /** The same for one. */
  one: string;
  /** What those are that match, in a word, and how they stand: see `scan-text.ts`. */
  called?: string | undefined;
  arranged?: string | undefined;
  /** What stands there when everything was read and nothing found. */
  emptyState: ReactNode;
}

interface ScannedProps<T> extends ScanWords {
  /** As `infinite()` describes it, with `page_size: 200`: scope, order, and the filters that the service has. */
  list: PagedList;
  /** False while the list's scope is not settled. */
  enabled: boolean;
  /** What `matches` is about, in any words: the same words, the same scan. */
  filter: string;
  matches: (row: T) => boolean;
  /** The list's table, with these rows. */
  children: (found: ScanRows<T>) => ReactNode;
}

/** What a table is told while there is no answer. */
export const NONE_YET: ScanRows<never> = {
  query: { ...READ, isPending: true, isFetching: true },
  rows: [],
  emptyState: null,
};

/** Rows that one request reads. */
const ONE_PAGE = 200;

const load = () => import("./client-filtered-rows");
const ScanView = lazy(() => load().then((module) => ({ default: module.ClientFilteredRows }))) as <T>(
  props: ScanWords & { scan: Scan<T>; children: (found: ScanRows<T>) => ReactNode },
) => ReactNode;

/**
 * A list with a filter that the API lacks: its rows as a scan finds them; the code comes with the first one. The scan
 * lives in the query cache beside the lists of its collection, so that writes reach it (`patch.ts`), a finished one is
 * there at once when somebody comes back, and one that was left goes on where it was.
 */
export function ClientFilteredList<T extends { readonly uid: string }>(props: ScannedProps<T>): ReactNode {
  const { list, enabled, filter, matches, children, ...words } = props;
  const [collection, , input] = list.queryKey;
  const { data: scan } = useQuery({
    queryKey: [collection, "scan", input, filter],
    // From the first row, wherever the list would begin; the key says that every page behind it is read as well.
    meta: { requests: () => list.meta?.requests?.({ pageParams: [{}] } as never) ?? [] },
    // Asked for again by an invalidation, or when it is old. What takes more than one request is read again by hand.
    queryFn: async ({ client, queryKey }) => {
      const held = client.getQueryData<Scan<T>>(queryKey);
      if (held?.get().state === "done" && held.get().read <= ONE_PAGE) held.restart();
      else held?.outdate();
      return held ?? (await load()).newScan(list, matches, client.getDefaultOptions().queries as Patience);
    },
    enabled,
    staleTime: ({ state }) => ((state.data?.get().read ?? 0) > ONE_PAGE ? Infinity : 30_000),
    throwOnError: true,
  });
  const loading = children(NONE_YET);
  if (!scan) return loading;
  return (
    <Suspense fallback={loading}>
      <ScanView {...words} scan={scan}>
        {children}
      </ScanView>
    </Suspense>
  );
}
