import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  useLayoutEffect,
  type FocusEvent,
  type RefObject,
} from "react";
import { announce } from "../feedback/announcer";
import { usePageActions } from "../overlay/page-actions";
import { errorFacts } from "../feedback/error-facts";
import { ErrorView } from "../feedback/error-view";
import { ListFooter } from "./footer";
import { ListHeader } from "./header";
import { picksRow, stopAfter } from "./keyboard";
import { mergeRows, recordsOf, type Merging } from "./merged-rows";
import classes from "./table.module.css";
import { rangeText } from "./range-text";
import { ListRow, type RowFacts } from "./row";
import { ErrorRows, GapRows, SkeletonRows } from "./status-rows";
import type { Column, ListQuery } from "./types";
import { useLayout } from "./use-columns";
import { useRowSelection } from "./use-row-selection";
import { useScrollPosition } from "./use-scroll-position";
import type { ListSelection } from "./use-selection";
import { useMoreRows, useVirtualRows } from "./use-virtual-rows";
import { capitalize } from "../display/capitalize";
import { formatCount, formatQuantity } from "../display/numbers";
import { useLatest } from "../use-latest";

/**
 * Keeps the focused row in the document however far it is scrolled away. If the focused element is removed (its page is
 * evicted, the last row is deleted), moves the focus to the list, or to the heading of its empty state, so that it does
 * not go to the top of the page.
 */
function useKeptRow(frame: RefObject<HTMLElement | null>, keys: readonly string[]) {
  const [focused, setFocused] = useState<string>();
  const index = focused === undefined ? -1 : keys.indexOf(focused);
  const within = useRef(false);
  useLayoutEffect(() => {
    if (!within.current || document.activeElement !== document.body) return;
    within.current = false;
    const home = frame.current?.querySelector<HTMLElement>("[data-focus-home]");
    (home ?? frame.current)?.focus({ preventScroll: true });
  });
  return {
    index,
    handlers: {
      onFocus({ target }: FocusEvent<HTMLElement>) {
        within.current = true;
        setFocused(target.closest<HTMLElement>("[data-row-key]")?.dataset["rowKey"]);
      },
      onBlur({ relatedTarget }: FocusEvent<HTMLElement>) {
        setFocused(undefined);
        // An element that is removed loses the focus without a `relatedTarget`: the user has not left the list.
        if (relatedTarget) within.current = false;
      },
    },
  };
}

interface ListTableProps<T, M> extends RowFacts<T> {
  /** Name of the table, also in messages and as the storage key of its column choice: "Identities". */
  label: string;
  /** The infinite query, from React Query. */
  query: ListQuery;
  /** The records of all its pages; must be the same array while they are the same. Each is a row. */
  rows: readonly T[];
  /** ... but for those that this merges. Must be defined outside the component. */
  merging?: Merging<T> | undefined;
  rowKey: (row: T) => string;
  /** Must be defined outside the component, or memoized. */
  columns: readonly Column<T>[];
  /** Total number of records, if the server counts them. */
  total?: number | bigint | undefined;
  /** Index of rows[0] in the whole list, after a jump; default 0. */
  firstRow?: number | undefined;
  /** `name`, `created_at desc`: as in order_by. */
  order?: string | undefined;
  onOrder?: ((order: string) => void) | undefined;
  /** Index of the first record in view, from the URL. */
  at?: number | undefined;
  /** Must write it to the URL, replacing the history entry; undefined for the top. Returns false if it cannot yet. */
  onAt?: ((at: number | undefined) => boolean) | undefined;
  /** Must restart the query at this record (`skip`), then set `firstRow`. If absent, pages are loaded up to it. */
  onJump?: ((record: number) => Promise<unknown>) | undefined;
  /** Default: the query's own refetch, which reloads every loaded page. */
  onRefresh?: (() => unknown) | undefined;
  /** Filters and scope as text: when it changes, the list starts at its top again. */
  view?: string | undefined;
  /** The columns of the link that opened the list: ids, separated by dots. */
  shared?: string | undefined;
  /** Makes rows selectable; see `useSelection()`. */
  selection?: ListSelection<T, M> | undefined;
  /** Shown if there are no rows: one of the states of empty.tsx. */
  emptyState: ReactNode;
  /** A cell after the rows, for when there can be more and none are being loaded; no higher than a row. */
  end?: ReactNode;
}

/**
 * The table of all lists, over an infinite query by page tokens, with its position in the URL. The scroll bar covers
 * the whole list: every row has its place, only those in view are in the document, and rows that are not loaded yet
 * show skeletons. Fills the available height (`<Page fill>`).
 */
export function ListTable<T, M = T>(props: ListTableProps<T, M>) {
  const { label, query, columns, total, firstRow = 0, order, onOrder, at, onAt, onJump } = props;
  const { rowName, rowLink, summary = columns[1]?.cell, aside, view = "", emptyState } = props;
  // Callbacks that change at each render are equivalent: they must not change the rows or rerender them.
  const latest = useLatest(props);
  const [rowKey] = useState(() => props.rowKey);
  const { rows: records, merging } = props;
  const merged = useMemo(() => mergeRows(records, firstRow, merging?.keyOf), [records, firstRow, merging]);
  const { rows, rowOf, recordOf } = merged;
  // A row has the key of its first record.
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey]);
  const membersOf = useCallback(
    (row: T) => recordsOf(row).map((record) => [rowKey(record), record as unknown as M] as const),
    [rowKey],
  );
  const rowActions = useCallback((row: T) => latest.current.rowActions?.(row) ?? [], [latest]);
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const withActions = props.rowActions !== undefined;
  const layout = useLayout(frame, columns, withActions, label, props.shared);
  const { rowHeight, headerHeight, narrow } = layout;
  const ready = !query.isPending && !query.isPlaceholderData;
  const end = firstRow + rows.length;
  const whole = total === undefined ? undefined : Number(total);
  // After the last page nothing follows, whatever the total; before it, there is at least one more row.
  const held = query.hasNextPage ? Math.max(whole === undefined ? 0 : rowOf(whole), end + 1) : end;
  // An address can have a position that a shorter list no longer has.
  const count = rows.length > 0 ? held : (whole ?? Math.min(firstRow, 1));
  const kept = useKeptRow(frame, keys);
  // The actions of the focused row.
  usePageActions(() => {
    const row = rows[kept.index];
    return row ? (rowActions?.(row) ?? []).map((action) => ({ ...action, of: rowName(row) })) : [];
  });
  const { track, height, first, visible, indexes, shift } = useVirtualRows({
    scroller,
    count: query.isPending ? 0 : count,
    rowHeight,
    headerHeight,
    kept: kept.index < 0 ? -1 : firstRow + kept.index,
  });
  const inView = Math.min(first + visible, count);
  const ends = { begins: firstRow === 0, ends: !query.hasNextPage, settled: ready && !query.isPartial };
  const picks = useRowSelection(
    props.selection && merging ? { ...props.selection, members: membersOf } : props.selection,
    { rows, keys, order, total: whole, ...ends },
  );
  const place = useScrollPosition({
    track,
    keys,
    firstRow,
    count,
    merged,
    at,
    onAt,
    view: `${order ?? ""} ${view}`,
    ready,
    onJump,
  });
  useMoreRows({
    query,
    ready,
    rows: rows.length,
    first: first - firstRow,
    last: inView - 1 - firstRow,
    waiting: place.waiting,
  });
  const drawn = indexes.filter((index) => index >= firstRow && index < end).map((index) => index - firstRow);

  const refresh = props.onRefresh ?? query.refetch;
  const failed = query.isError && !query.isFetchNextPageError && !query.isFetchPreviousPageError;
  const jump = (record: number) => {
    place.goTo(record);
    announce(`${capitalize(merging?.one ?? "row")} ${formatCount(record + 1)}`);
  };
  // While more can be merged, the number of rows is not known.
  const counted = merging ? ends.begins && ends.ends : whole !== undefined || !query.hasNextPage;
  const tracks = layout.columns.length + (picks.head ? 1 : 0);
  const sizes = {
    "--list-columns": `${picks.head ? "2.5rem " : ""}${layout.template}`,
    "--list-row": `${rowHeight}px`,
    "--list-header": `${headerHeight}px`,
  } as CSSProperties;
  const nothing = rows.length === 0 && count === 0 && !query.isPending;
  // The focused row can be far outside of the range of the scroll bar, and must not extend it.
  const top = (row: number) => (row * rowHeight - shift < height ? row * rowHeight - shift : -rowHeight);
  return (
    <div
      ref={frame}
      tabIndex={-1}
      className={classes["root"]}
      style={sizes}
      data-scrolls={count >= visible || undefined}
      {...kept.handlers}
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        const stop = stopAfter(event, first);
        if (!stop && !picksRow(event)) return;
        event.preventDefault();
        stop?.focus();
      }}
    >
      {nothing ? (
        // Not the table's element: code that returns the focus to the table must see that it is gone.
        <div key="empty" className={classes["empty"]}>
          {query.isError ? (
            <ErrorView
              title={`${label} couldn't be loaded`}
              onRetry={() => void refresh?.()}
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
          aria-rowcount={counted ? count + 1 : -1}
          aria-busy={query.isFetching}
          data-focus-home=""
          className={classes["scroller"]}
          onScroll={place.onScroll}
          onWheel={place.onTakeOver}
          onTouchMove={place.onTakeOver}
          onKeyDown={place.onTakeOver}
        >
          <ListHeader
            list={label}
            all={columns}
            layout={layout}
            order={order}
            onOrder={onOrder}
            withActions={withActions}
            pick={picks.head}
          />
          {query.isPending ? <SkeletonRows columns={tracks} count={Math.max(12, visible)} /> : null}
          <div
            role="rowgroup"
            className={classes["body"]}
            data-stale={query.isPlaceholderData || undefined}
            style={{ height }}
          >
            {drawn.map((index) => (
              <ListRow
                key={keys[index]}
                row={rows[index] as T}
                rowKey={keys[index] ?? ""}
                index={firstRow + index}
                start={top(firstRow + index)}
                columns={layout.columns}
                narrow={narrow}
                onPick={picks.pick}
                picked={picks.pickedAt(index)}
                rowActions={withActions ? rowActions : undefined}
                rowMark={props.rowMark}
                summary={narrow ? summary : undefined}
                aside={narrow ? aside : undefined}
                {...{ rowName, rowLink }}
              />
            ))}
            <GapRows columns={tracks} from={first} to={Math.min(inView + 1, firstRow)} top={top(first)} />
            {props.end === undefined ? (
              <GapRows
                columns={tracks}
                from={Math.max(first, end)}
                to={Math.min(inView + 1, count)}
                top={top(Math.max(first, end))}
              />
            ) : end < Math.min(inView + 1, count) ? (
              <div role="row" className={classes["gap"]} style={{ transform: `translateY(${top(end)}px)` }}>
                {props.end}
              </div>
            ) : null}
            <ErrorRows {...{ query, place, top, first, firstRow, end }} />
          </div>
        </div>
      )}
      {picks.bar}
      <ListFooter
        range={
          nothing || query.isPending
            ? undefined
            : rangeText({
                first: recordOf(first),
                visible: recordOf(first + visible) - recordOf(first),
                count: recordOf(whole === undefined ? end : count),
                more: query.hasNextPage && (whole === undefined || whole <= recordOf(end)),
              })
        }
        counted={
          merging && {
            ...merging,
            inRows: rows === records || !counted ? "" : `, in ${formatQuantity(rows.length, "row")}`,
          }
        }
        rows={whole !== undefined && count > visible ? recordOf(count) : undefined}
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
