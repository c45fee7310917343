import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Scan } from "~/api/paging/scan";
import type { PagedList } from "~/api/paging/scan-pages";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import type { ListTable } from "~/ui/table/list-table";
import { READ } from "~/ui/table/types";
import { onDemand } from "~/ui/on-demand";

import { loadListExtras } from "./load-list-extras";

type TableProps<T> = Parameters<typeof ListTable<T>>[0];

/** Table props of a list whose rows come from a scan. */
export type ScanRows<T> = Pick<TableProps<T>, "query" | "rows" | "total" | "emptyState" | "end">;

export interface ScanWords {
  /** Plural: "identities". */
  what: string;
  /** Singular. */
  one: string;
  /** A word for the matching rows, words for the others, and a phrase for their order: see `scan-text.ts`. */
  called?: string | undefined;
  others?: string | undefined;
  arranged?: string | undefined;
  /** Shown when the scan is done and nothing matches. */
  emptyState: ReactNode;
}

interface ScannedProps<T> extends ScanWords {
  /** From `infinite()` with `page_size: 200`: scope, order, and the filters that the service supports. */
  list: PagedList;
  /** False until the list's scope is known. */
  enabled: boolean;
  /** Identifies `matches` in the query key: the same text reuses the same scan. */
  filter: string;
  /** Rows that it reads before it asks whether to go on; undefined: reads the whole list. */
  step?: number | undefined;
  matches: (row: T) => boolean;
  /** Renders the list's table with these rows. */
  children: (found: ScanRows<T>) => ReactNode;
}

/** Table props until the first response. */
export const NONE_YET: ScanRows<never> = {
  query: { ...READ, isPending: true, isFetching: true },
  rows: [],
  emptyState: null,
};

/** Rows per request. */
const ONE_PAGE = 200;

/** A scan up to this many rows, twenty requests, is read again by itself after a write; a longer one when the user asks for it. */
const REREAD_ROWS = 4_000;

const ScanView = onDemand(async () => (await loadListExtras()).ClientFilteredRows<never>) as unknown as <T>(
  props: ScanWords & { scan: Scan<T>; step: number | undefined; children: (found: ScanRows<T>) => ReactNode },
) => ReactNode;

/**
 * A list with a filter that the API lacks: a scan finds its rows; the first one loads the code. The scan is in the
 * query cache beside the lists of its collection, so that writes reach it (`patch.ts`), a finished scan shows
 * immediately when the user returns, and an interrupted one resumes where it was.
 */
export function ClientFilteredList<T extends { readonly uid: string }>(props: ScannedProps<T>): ReactNode {
  const { list, enabled, filter, step, matches, children, ...words } = props;
  const [collection, , input] = list.queryKey;
  const { data: scan } = useQuery({
    queryKey: [collection, "scan", input, filter],
    // Starts at row one, wherever the list starts; "scan" in the key marks that all later pages are read as well.
    meta: { requests: () => list.meta?.requests?.({ pageParams: [{}] }) ?? [] },
    // Runs again when invalidated by a write, and when stale if it is one request.
    queryFn: async ({ client, queryKey }) => {
      const held = client.getQueryData<Scan<T>>(queryKey);
      if (held?.get().state === "done" && held.get().read <= REREAD_ROWS) held.restart();
      else held?.outdate();
      return held ?? (await loadListExtras()).newScan(list, matches, retryPolicyOf(client));
    },
    enabled,
    staleTime: ({ state }) => ((state.data?.get().read ?? 0) > ONE_PAGE ? Infinity : 30_000),
    throwOnError: true,
  });
  if (!scan) return children(NONE_YET);
  return (
    <ScanView {...words} scan={scan} step={step}>
      {children}
    </ScanView>
  );
}
