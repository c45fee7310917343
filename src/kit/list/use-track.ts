import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";

import { foldOf } from "./fold";

interface TrackOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Rows of the whole list, loaded or not. */
  readonly count: number;
  /** Px. */
  readonly rowHeight: number;
  readonly headerHeight: number;
}

/** What moves a list; the same object as long as the list is there. */
export interface Track {
  /** The place now, in rows from the top, and how many rows there is room for. */
  readonly place: () => number;
  readonly room: () => number;
  /** Goes to a place. */
  readonly moveTo: (place: number) => void;
  readonly onScroll: () => void;
  /** When scrolling came to rest: puts the scroll bar where it belongs after rows were scrolled one by one. */
  readonly settle: () => void;
}

export interface Drawn {
  readonly track: Track;
  /** Px: what all rows together scroll, at most as much as a browser can. */
  readonly height: number;
  /** Index of the first row in view, and how many rows there is room for. */
  readonly first: number;
  readonly visible: number;
  /** Px that rows are drawn higher than their index says: 0 unless the list is longer than any browser scrolls. */
  readonly shift: number;
}

/** Where a list of rows of one height is scrolled to; every row has its place, also those that are not loaded. */
export function useTrack({ scroller, count, rowHeight, headerHeight }: TrackOptions): Drawn {
  const [drawn, setDrawn] = useState({ first: 0, visible: 0, shift: 0 });
  const now = useRef({ shift: 0, last: 0, at: 0, room: 1, rowHeight, content: 0 });
  now.current.rowHeight = rowHeight;
  now.current.content = headerHeight + count * rowHeight;

  const track = useMemo((): Track => {
    const fold = (element: HTMLElement) => foldOf(now.current.content, element.clientHeight);
    const offset = (element: HTMLElement) => element.scrollTop + now.current.shift;
    const draw = (element: HTMLElement) => {
      const { shift, rowHeight: height } = now.current;
      now.current.last = element.scrollTop;
      now.current.at = offset(element) / height;
      const first = Math.floor(now.current.at + 0.01);
      const visible = Math.max(1, Math.round((element.clientHeight - headerHeight) / height));
      now.current.room = visible;
      setDrawn((before) =>
        before.first === first && before.visible === visible && before.shift === shift
          ? before
          : { first, visible, shift },
      );
    };
    const moveTo = (place: number) => {
      now.current.at = place;
      const element = scroller.current;
      if (!element) return;
      const { folded, toScrollTop } = fold(element);
      const { content, rowHeight: height } = now.current;
      const wanted = Math.max(0, Math.min(place * height, content - element.clientHeight));
      element.scrollTop = toScrollTop(wanted);
      now.current.shift = folded ? wanted - element.scrollTop : 0;
      draw(element);
    };
    return {
      place: () => now.current.at,
      room: () => now.current.room,
      moveTo,
      onScroll() {
        const element = scroller.current;
        if (!element) return;
        const { folded, toOffset } = fold(element);
        const { scrollTop, clientHeight } = element;
        const far = Math.abs(scrollTop - now.current.last) > 2 * clientHeight;
        const end = scrollTop < 1 || scrollTop > element.scrollHeight - clientHeight - 1;
        if (!folded) now.current.shift = 0;
        else if (far || end) now.current.shift = toOffset(scrollTop) - scrollTop;
        draw(element);
      },
      settle() {
        const element = scroller.current;
        if (element && fold(element).folded) moveTo(offset(element) / now.current.rowHeight);
      },
    };
  }, [scroller, headerHeight]);

  const shown = count > 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!shown || !element) return;
    // Also where rows became higher or lower.
    track.moveTo(now.current.at);
    const observer = new ResizeObserver(track.onScroll);
    observer.observe(element);
    return () => observer.disconnect();
  }, [track, scroller, shown, rowHeight]);

  const height = foldOf(headerHeight + count * rowHeight, 0).height - headerHeight;
  return { track, ...drawn, height };
}
