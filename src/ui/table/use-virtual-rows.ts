import {
  defaultRangeExtractor,
  observeElementOffset,
  useVirtualizer,
  type Range,
} from "@tanstack/react-virtual";
import {
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";

import { windowStart } from "./scroll-window";

/** Rows drawn above and below those in view, so that scrolling finds them there; not before those in view are shown. */
const OVERSCAN = 8;

/** Px. Firefox draws nothing further down than 17.8 million, Chromium and Safari than 33.5. */
const LONGEST = 15_000_000;

interface TrackOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Rows of the whole list, loaded or not. */
  readonly count: number;
  /** Px. */
  readonly rowHeight: number;
  readonly headerHeight: number;
  /** A row that stays drawn wherever it is scrolled to, since it has the focus; below 0: none. */
  readonly kept: number;
}

/** What moves a list; the same object as long as the list is there. */
export interface VirtualRows {
  /** The place now, in rows from the top, and how many rows there is room for. */
  readonly place: () => number;
  readonly room: () => number;
  /** Goes to a place. */
  readonly moveTo: (place: number) => void;
  /** When scrolling came to rest: at an end of the scroll bar, more rows take its place. */
  readonly settle: () => void;
}

export interface Drawn {
  readonly track: VirtualRows;
  /** Px: what all rows together scroll, at most as much as a browser can. */
  readonly height: number;
  /** Index of the first row in view, and how many rows there is room for. */
  readonly first: number;
  readonly visible: number;
  /** Indexes of the rows to draw, ascending. */
  readonly indexes: readonly number[];
  /** Px that rows are drawn higher than their index says: 0 unless the list is longer than a browser scrolls. */
  readonly shift: number;
}

/**
 * Where a list of rows of one height is scrolled to; every row has its place, also those that are not loaded. Which rows
 * those are is react-virtual's to say. Of a list that is longer than a browser scrolls, the scroll bar covers a window.
 */
export function useVirtualRows({ scroller, count, rowHeight, headerHeight, kept }: TrackOptions): Drawn {
  const most = Math.floor(LONGEST / rowHeight);
  const [base, setBase] = useState(0);
  const now = useRef({ base, at: 0, rowHeight, count, most, tell: (_offset: number) => {} });
  Object.assign(now.current, { rowHeight, count, most });
  // A list that has become shorter.
  now.current.base = Math.max(0, Math.min(now.current.base, count - most));

  const { track, offsetAt } = useMemo(() => {
    /** Px of the whole list above what is in view, as the scroll bar stands now. */
    const offset = (element: HTMLElement): number => {
      const above = element.scrollTop + now.current.base * now.current.rowHeight;
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
      setBase(start);
      element.scrollTop = Math.max(0, (to - start) * now.current.rowHeight);
      // Before the browser's own event: the rows there are drawn with this render.
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
        if (instance.scrollElement) tell(offsetAt(instance.scrollElement as HTMLElement), scrolling);
      });
    },
    // Only `moveTo` moves it.
    scrollToFn: () => undefined,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);

  const shown = count > 0;
  useLayoutEffect(() => {
    // Also where rows became higher or lower.
    if (shown) track.moveTo(now.current.at);
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
