import {
  defaultRangeExtractor,
  observeElementOffset,
  useVirtualizer,
  type Range,
} from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, type RefObject } from "react";

import { scaledScrollOf } from "./scaled-scroll";

/** Rows drawn above and below those in view, so that scrolling finds them there. */
const OVERSCAN = 8;

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
  /** When scrolling came to rest: puts the scroll bar where it belongs after rows were scrolled one by one. */
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
  /** Px that rows are drawn higher than their index says: 0 unless the list is longer than any browser scrolls. */
  readonly shift: number;
}

/**
 * Where a list of rows of one height is scrolled to; every row has its place, also those that are not loaded. Which rows
 * those are is react-virtual's to say; what it does not know is a list that is longer than a browser scrolls, so that
 * it is told the place in the list (`fold.ts`) instead of that of the scroll bar.
 */
export function useVirtualRows({ scroller, count, rowHeight, headerHeight, kept }: TrackOptions): Drawn {
  const now = useRef({ shift: 0, last: 0, at: 0, rowHeight, content: 0, tell: (_offset: number) => {} });
  now.current.rowHeight = rowHeight;
  now.current.content = headerHeight + count * rowHeight;

  const { track, offsetAt } = useMemo(() => {
    const fold = (element: HTMLElement) => scaledScrollOf(now.current.content, element.clientHeight);
    /** Px of the whole list above what is in view, as the scroll bar stands now. */
    const offset = (element: HTMLElement): number => {
      const { folded, toOffset } = fold(element);
      const { scrollTop, clientHeight } = element;
      const far = Math.abs(scrollTop - now.current.last) > 2 * clientHeight;
      const end = scrollTop < 1 || scrollTop > element.scrollHeight - clientHeight - 1;
      if (!folded) now.current.shift = 0;
      else if (far || end) now.current.shift = toOffset(scrollTop) - scrollTop;
      now.current.last = scrollTop;
      now.current.at = (scrollTop + now.current.shift) / now.current.rowHeight;
      return scrollTop + now.current.shift;
    };
    const place = (): number => {
      if (scroller.current) offset(scroller.current);
      return now.current.at;
    };
    const moveTo = (to: number): void => {
      now.current.at = to;
      const element = scroller.current;
      if (!element) return;
      const { folded, toScrollTop } = fold(element);
      const { content, rowHeight: height } = now.current;
      const wanted = Math.max(0, Math.min(to * height, content - element.clientHeight));
      element.scrollTop = toScrollTop(wanted);
      now.current.shift = folded ? wanted - element.scrollTop : 0;
      now.current.last = element.scrollTop;
      now.current.at = (element.scrollTop + now.current.shift) / height;
      // Before the browser's own event: the rows there are drawn with this render.
      now.current.tell(element.scrollTop + now.current.shift);
    };
    const made: VirtualRows = {
      place,
      room: () => roomOf(scroller.current?.clientHeight, headerHeight, now.current.rowHeight),
      moveTo,
      settle() {
        if (scroller.current && fold(scroller.current).folded) moveTo(place());
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
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
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

  const height = scaledScrollOf(headerHeight + count * rowHeight, 0).height - headerHeight;
  return {
    track,
    height,
    first: Math.floor((virtual.scrollOffset ?? 0) / rowHeight + 0.01),
    visible: roomOf(virtual.scrollRect?.height, headerHeight, rowHeight),
    indexes: virtual.getVirtualItems().map(({ index }) => index),
    shift: now.current.shift,
  };
}

const roomOf = (height: number | undefined, headerHeight: number, rowHeight: number): number =>
  Math.max(1, Math.round(((height ?? 0) - headerHeight) / rowHeight));
