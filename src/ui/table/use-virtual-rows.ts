import {
  defaultRangeExtractor,
  observeElementOffset,
  useVirtualizer,
  type Range,
} from "@tanstack/react-virtual";
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";

import { observeSize } from "../observe-size";
import { lastSize, noteSize } from "./last-size";
import { windowStart } from "./scroll-window";
import type { ListQuery } from "./types";

/** Rows rendered above and below those in view, ready for scrolling; deferred until those in view are shown. */
const OVERSCAN = 8;

/** Maximum height in px. Firefox renders nothing below 17.8 million px, Chromium and Safari below 33.5 million. */
const MAX_HEIGHT_PX = 15_000_000;

/** Height in px of what a list page usually has above and below the rows. */
const PAGE_CHROME_PX = 350;

const likelyHeight = (): number => lastSize()?.height ?? Math.max(0, innerHeight - PAGE_CHROME_PX);

interface TrackOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Rows of the whole list, loaded or not. */
  readonly count: number;
  /** Px. */
  readonly rowHeight: number;
  readonly headerHeight: number;
  /** False beside the page's list: its size says nothing about that of the next list. */
  readonly ofPage?: boolean;
  /** Index of the focused row, which stays rendered wherever it is; below 0 if none. */
  readonly kept: number;
}

/** Controls the position of a list; the same object for the lifetime of the list. */
export interface VirtualRows {
  /** The present position, in rows from the top, and how many rows fit. */
  readonly place: () => number;
  readonly room: () => number;
  /** Goes to a position. */
  readonly moveTo: (place: number) => void;
  /** Called when scrolling settles: at an end of the scroll bar's range, moves the range to more rows. */
  readonly settle: () => void;
}

export interface Drawn {
  readonly track: VirtualRows;
  /** Scroll height of all rows in px, limited to what browsers support. */
  readonly height: number;
  /** Index of the first row in view, and how many rows fit. */
  readonly first: number;
  readonly visible: number;
  /** Indexes of the rows to render, ascending. */
  readonly indexes: readonly number[];
  /** How much higher than their index rows are placed, in px: 0 unless the list is too long for a browser. */
  readonly shift: number;
}

/**
 * Virtual scrolling for rows of equal height; every row has its place, even if not loaded. react-virtual computes which
 * rows to render. If the list is too long for a browser to scroll, the scroll bar covers a window of it.
 */
export function useVirtualRows(options: TrackOptions): Drawn {
  const { scroller, count, rowHeight, headerHeight, ofPage = true, kept } = options;
  const most = Math.floor(MAX_HEIGHT_PX / rowHeight);
  const [base, setBase] = useState(0);
  const now = useRef({ base, at: 0, moved: false, rowHeight, count, most, tell: (_offset: number) => {} });
  Object.assign(now.current, { rowHeight, count, most });
  // The list can have become shorter.
  now.current.base = Math.max(0, Math.min(now.current.base, count - most));

  const { track, offsetAt } = useMemo(() => {
    /** Px of the whole list above the rows in view, at the present scroll position. */
    const offset = (element: HTMLElement): number => {
      // Until it has scrolled, reading the position would only force a layout.
      const above = (now.current.moved ? element.scrollTop : 0) + now.current.base * now.current.rowHeight;
      now.current.at = above / now.current.rowHeight;
      return above;
    };
    const place = (): number => {
      if (scroller.current) offset(scroller.current);
      return now.current.at;
    };
    const room = () => roomOf(scroller.current?.clientHeight, headerHeight, now.current.rowHeight);
    const moveTo = (to: number): void => {
      now.current.at = to;
      const element = scroller.current;
      if (!element) return;
      const start = windowStart(to, now.current, room());
      now.current.base = start;
      now.current.moved ||= to > 0;
      setBase(start);
      if (now.current.moved) element.scrollTop = Math.max(0, (to - start) * now.current.rowHeight);
      // Do not wait for the scroll event: this render already draws the rows there.
      now.current.tell(offset(element));
    };
    const made: VirtualRows = {
      place,
      room,
      moveTo,
      settle() {
        if (now.current.count > now.current.most) moveTo(place());
      },
    };
    return { track: made, offsetAt: offset };
  }, [scroller, headerHeight]);

  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (kept < 0 || kept >= range.count || indexes.includes(kept)) return indexes;
      return [...indexes, kept].toSorted((a, b) => a - b);
    },
    [kept],
  );
  const overscan = useDeferredValue(OVERSCAN, 0);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    rangeExtractor,
    observeElementOffset: (instance, tell) => {
      now.current.tell = (offset) => tell(offset, false);
      return observeElementOffset(instance, (_scrollTop, scrolling) => {
        now.current.moved = true;
        if (instance.scrollElement) tell(offsetAt(instance.scrollElement as HTMLElement), scrolling);
      });
    },
    // Unlike the library's own, reads no size in the middle of a render, which would force a layout there.
    observeElementRect: ({ scrollElement }, tell) => {
      const element = scrollElement as HTMLElement | null;
      if (!element) return undefined;
      const measure = (): void => {
        const { clientWidth: width, clientHeight: height } = element;
        if (ofPage) noteSize({ width, height });
        tell({ width, height });
      };
      if (!ofPage || !lastSize()) measure();
      return observeSize(element, measure);
    },
    // Only `moveTo` scrolls.
    scrollToFn: () => undefined,
    // Rows for the first render, before any layout; the real height then adds or removes a few.
    initialRect: { width: 0, height: likelyHeight() },
  });
  const measured = useRef(rowHeight);
  useLayoutEffect(() => {
    if (measured.current === rowHeight) return;
    measured.current = rowHeight;
    virtual.measure();
  }, [virtual, rowHeight]);

  const shown = count > 0;
  useLayoutEffect(() => {
    // Also runs when the row height changes. At the top there is nothing to do, and scrolling there would force a layout.
    if (shown && now.current.at > 0) track.moveTo(now.current.at);
  }, [track, shown, rowHeight]);

  return {
    track,
    height: Math.min(count, most) * rowHeight,
    first: Math.floor((virtual.scrollOffset ?? 0) / rowHeight + 0.01),
    visible: roomOf(virtual.scrollRect?.height, headerHeight, rowHeight),
    indexes: virtual.getVirtualItems().map(({ index }) => index),
    shift: now.current.base * rowHeight,
  };
}

const roomOf = (height: number | undefined, headerHeight: number, rowHeight: number): number =>
  Math.max(1, Math.round(((height ?? 0) - headerHeight) / rowHeight));

/** How many rows before the end to request the next page: about one and a half screens. */
const PREFETCH_ROWS = 30;

interface MoreRowsOptions {
  readonly query: ListQuery;
  readonly ready: boolean;
  /** Number of loaded rows, and the range of those in view; below 0 or beyond `rows` they are not loaded. */
  readonly rows: number;
  readonly first: number;
  readonly last: number;
  /** The user is waiting for a row. */
  readonly waiting: boolean;
}

/** Fetches the next page near the end of the loaded rows, and the previous page near their start. */
export function useMoreRows({ query, ready, rows, first, last, waiting }: MoreRowsOptions): void {
  const { isFetching, hasNextPage, fetchNextPage, isFetchNextPageError } = query;
  const { hasPreviousPage = false, fetchPreviousPage, isFetchPreviousPageError = false } = query;
  const near = waiting || last >= rows - PREFETCH_ROWS;
  // A second fetch would cancel one in flight. After an error, only the user retries.
  const free = ready && rows > 0 && !isFetching;
  const backward = free && first < PREFETCH_ROWS && hasPreviousPage && !isFetchPreviousPageError;
  const forward = free && near && !(backward && first < 0) && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (forward) void fetchNextPage();
    else if (backward) void fetchPreviousPage?.();
  }, [forward, backward, fetchNextPage, fetchPreviousPage, rows]);
}
