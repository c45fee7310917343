import { SearchIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useHiddenUids } from "~/api/mutations/hidden";
import { scan as makeScan, type Scan } from "~/api/paging/scan";
import type { PagedItem, PagedList } from "~/api/paging/scan-pages";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { useScan } from "~/api/paging/use-scan";
import { Empty } from "~/ui/feedback/empty";
import { ScanEnd } from "~/ui/table/scan-end";
import { ScanLine } from "~/ui/table/scan-line";
import { restText } from "~/ui/table/scan-text";
import type { ListQuery } from "~/ui/table/types";

import type { ScanRows, ScanWords } from "./client-filtered-list";

/** How long to show the loading state before saying that nothing was found yet, in ms. */
const LOADING_MS = 800;

interface ScanViewProps<T> extends ScanWords {
  scan: Scan<T>;
  step: number | undefined;
  children: (found: ScanRows<T>) => ReactNode;
}

/** Creates a scan. In this file, so that only lists with such a filter load the code. */
export const newScan = <T extends PagedItem>(
  list: PagedList,
  matches: (row: T) => boolean,
  retryPolicy: RetryPolicy,
): Scan<T> => makeScan(list, matches, retryPolicy);

/** A line with the progress of a scan, and the list's own table with the rows found so far. */
export function ClientFilteredRows<T extends PagedItem>(props: ScanViewProps<T>): ReactNode {
  const { scan, step, emptyState, children, ...words } = props;
  const found = useScan(scan, step);
  const hidden = useHiddenUids();
  const { rows, read, total, error, old, readAt, begunAt, outdated, stop, resume, restart } = found;
  // An idle scan is about to start.
  const state = found.state === "idle" ? "reading" : found.state;
  const reading = state === "reading";
  // The table leaves out what is being deleted, and its count agrees with this one.
  const shown = hidden.size === 0 ? rows.length : rows.filter(({ uid }) => !hidden.has(uid)).length;
  const facts = { ...words, state, found: old ? 0 : shown, read, total, outdated };
  const query: ListQuery = {
    isPending: reading && rows.length === 0 && readAt - begunAt < LOADING_MS,
    isFetching: reading,
    isError: state === "failed" && read === 0,
    error,
    hasNextPage: state !== "done",
    // Not a refresh: the refresh button must be able to restart the scan at any time.
    isFetchingNextPage: reading,
    isFetchNextPageError: false,
    fetchNextPage: () => undefined,
    refetch: restart,
    dataUpdatedAt: readAt,
    isPlaceholderData: old,
    isPartial: state !== "done",
  };
  const none = (
    <Empty icon={<SearchIcon size={24} />} title={reading ? "Searching…" : "Not searched to the end"}>
      <p>{reading ? "Matching rows appear here." : restText(facts)}</p>
    </Empty>
  );
  return (
    <>
      {/* If the first page failed, the table shows the error in place of the rows. */}
      <ScanLine
        {...facts}
        error={query.isError ? undefined : error}
        onStop={stop}
        onResume={resume}
        onRestart={restart}
      />
      {children({
        query,
        rows,
        total: state === "done" ? rows.length : undefined,
        emptyState: state === "done" ? emptyState : none,
        end: reading ? undefined : <ScanEnd>{restText(facts)}</ScanEnd>,
      })}
    </>
  );
}
