import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from "react";

import { announce } from "./announcer";
import { errorFacts } from "./error-facts";
import { ErrorView } from "./error-view";
import { uniqueRows } from "./list/anchor";
import { ListFooter } from "./list/footer";
import { ListHeader } from "./list/header";
import { LeadRow } from "./list/lead-row";
import classes from "./list/list.module.css";
import { rangeText } from "./list/range-text";
import { ListRow, type RowFacts } from "./list/row";
import { ErrorRow, LoadingRow, SkeletonRows } from "./list/status-rows";
import type { Column, ListQuery } from "./list/types";
import { useLayout } from "./list/use-layout";
import { useMoreRows } from "./list/use-more-rows";
import { usePlace } from "./list/use-place";
import { formatCount } from "./numbers";

const OVERSCAN = 8;

interface ListTableProps<T> extends RowFacts<T> {
  /** Names the table, and stands in its sentences: "Identities". */
  label: string;
  /** The infinite query, as React Query gives it. */
  query: ListQuery;
  /** Its rows, all pages in one; the same array as long as they are the same. */
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Defined outside the component, or memoised. */
  columns: readonly Column<T>[];
  /** How many rows there are in all, where the server counts. */
  total?: number | bigint | undefined;
  /** Index of rows[0] in the whole list, after a jump; default 0. */
  firstRow?: number | undefined;
  /** `name`, `created_at desc`: as in order_by. */
  order?: string | undefined;
  onOrder?: ((order: string) => void) | undefined;
  /** Index of the first row in view, from the URL. */
  at?: number | undefined;
  /** Write it there, replacing; undefined is the top. */
  onAt?: ((at: number | undefined) => void) | undefined;
  /** Start the query at this row (`skip`), then give `firstRow`. Without it rows are loaded until it is there. */
  onJump?: ((row: number) => void) | undefined;
  /** Default: the query's own refetch, which reads every loaded page again. */
  onRefresh?: (() => unknown) | undefined;
  /** Filters and scope as text: when it changes, the list begins at its top again. */
  view?: string | undefined;
  /** What stands where there are no rows: one of the states of empty.tsx. */
  emptyState: ReactNode;
}

/**
 * The one table of all lists: virtual rows over an infinite query by page tokens, with its place in the URL.
 * Fills the height that it is given (`<Page fill>`).
 */
export function ListTable<T>(props: ListTableProps<T>) {
  const { label, query, rowKey, columns, total, firstRow = 0, order, onOrder, at, onAt, onJump } = props;
  const { rowName, rowLink, rowActions, summary = columns[1]?.cell, view = "", emptyState } = props;
  // A key function written in place is a new one at each render, and says the same.
  const keyOf = useRef(rowKey);
  keyOf.current = rowKey;
  const { rows, keys } = useMemo(() => uniqueRows(props.rows, (row) => keyOf.current(row)), [props.rows]);
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const withActions = rowActions !== undefined;
  const layout = useLayout(frame, columns, withActions);
  const { rowHeight, headerHeight, narrow } = layout;
  const lead = firstRow > 0 ? rowHeight : 0;

  // The row that has the focus stays in the document however far it is scrolled away.
  const [focused, setFocused] = useState<string>();
  const kept = useMemo(() => (focused === undefined ? -1 : keys.indexOf(focused)), [focused, keys]);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (kept < 0 || indexes.includes(kept)) return indexes;
      return [...indexes, kept].toSorted((a, b) => a - b);
    },
    [kept],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keys[index] ?? index,
    scrollMargin: headerHeight + lead,
    overscan: OVERSCAN,
    rangeExtractor,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);

  const ready = !query.isPlaceholderData;
  const place = usePlace({
    scroller,
    keys,
    firstRow,
    lead,
    rowHeight,
    at,
    onAt,
    view: `${order ?? ""} ${view}`,
    ready,
    complete: !query.hasNextPage,
    onJump,
  });
  const items = virtual.getVirtualItems();
  useMoreRows({
    query,
    ready,
    rows: rows.length,
    first: items[0]?.index,
    last: items.at(-1)?.index,
    ...place,
  });

  const offset = Math.max(0, (virtual.scrollOffset ?? 0) - lead);
  const inView = Math.max(1, Math.round(((virtual.scrollRect?.height ?? 0) - headerHeight) / rowHeight));
  const count = total === undefined ? undefined : Math.max(Number(total), firstRow + rows.length);
  const refresh = props.onRefresh ?? query.refetch;
  const failed = query.isError && !query.isFetchNextPageError && !query.isFetchPreviousPageError;
  const jump = (row: number) => {
    place.goTo(row);
    announce(`Row ${formatCount(row + 1)}`);
  };
  const tracks = layout.columns.length;
  const sizes = {
    "--list-columns": layout.template,
    "--list-row": `${rowHeight}px`,
    "--list-header": `${headerHeight}px`,
  } as CSSProperties;

  const nothing = rows.length === 0 && !query.isPending;
  return (
    <div ref={frame} className={classes["root"]} style={sizes}>
      {nothing ? (
        <div className={classes["empty"]}>
          {query.isError ? (
            <ErrorView
              title={`${label} could not be loaded`}
              onRetry={() => void refresh()}
              {...errorFacts(query.error)}
            />
          ) : (
            emptyState
          )}
        </div>
      ) : (
        <div
          ref={scroller}
          role="table"
          tabIndex={0}
          aria-label={label}
          aria-rowcount={count === undefined ? -1 : count + 1}
          aria-busy={query.isFetching}
          data-focus-home=""
          className={classes["scroller"]}
          onScroll={place.onScroll}
          onWheel={place.onTakeOver}
          onTouchMove={place.onTakeOver}
          onKeyDown={place.onTakeOver}
        >
          <ListHeader
            all={columns}
            layout={layout}
            order={order}
            onOrder={onOrder}
            withActions={withActions}
          />
          {query.isPending ? <SkeletonRows columns={tracks} count={12} /> : null}
          {firstRow > 0 ? <LeadRow query={query} before={firstRow} onFirst={() => jump(0)} /> : null}
          <div
            role="rowgroup"
            className={classes["body"]}
            data-stale={!ready || undefined}
            style={{ height: rows.length * rowHeight }}
            onFocus={(event) =>
              setFocused(event.target.closest<HTMLElement>("[data-row-key]")?.dataset["rowKey"])
            }
            onBlur={() => setFocused(undefined)}
          >
            {items.map(({ index, start }) => (
              <ListRow
                key={keys[index]}
                row={rows[index] as T}
                rowKey={keys[index] ?? ""}
                index={firstRow + index}
                start={start - headerHeight - lead}
                columns={layout.columns}
                narrow={narrow}
                {...{ rowName, rowLink, rowActions, summary }}
              />
            ))}
          </div>
          {query.isFetchNextPageError ? (
            <ErrorRow error={query.error} onRetry={query.fetchNextPage} />
          ) : query.hasNextPage && rows.length > 0 ? (
            <LoadingRow columns={tracks} />
          ) : null}
        </div>
      )}
      <ListFooter
        range={
          nothing || query.isPending
            ? undefined
            : rangeText({
                first: firstRow + Math.round(offset / rowHeight),
                visible: inView,
                firstRow,
                loaded: rows.length,
                total,
                hasMore: query.hasNextPage,
              })
        }
        rows={count !== undefined && count > inView ? count : undefined}
        onJump={jump}
        updatedAt={query.dataUpdatedAt}
        refreshing={query.isFetching && !query.isFetchingNextPage}
        failed={failed && !nothing}
        onRefresh={refresh}
        density={layout.density}
        narrow={narrow}
      />
    </div>
  );
}
