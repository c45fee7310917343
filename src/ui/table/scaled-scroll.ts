/** Px. Firefox draws nothing further down than 17.8 million, Chromium and Safari than 33.5: 400,000 rows and fewer. */
export const LONGEST = 15_000_000;
/** Px at both ends in which scrolling goes row by row, however much there is between them. */
const EDGE = 400_000;

/** Where the scroll bar stands for a place in a list that may be longer than anything that can scroll. */
export interface ScaledScroll {
  /** Px: the height of what scrolls. */
  readonly height: number;
  /** Whether that is less than the list is. */
  readonly folded: boolean;
  /** Px from the top of the list, by `scrollTop`. */
  readonly toOffset: (scrollTop: number) => number;
  readonly toScrollTop: (offset: number) => number;
}

/** `content`: px of the whole list; `view`: px of it in sight. */
export function scaledScrollOf(content: number, view: number): ScaledScroll {
  const height = Math.min(content, LONGEST);
  const furthest = Math.max(0, content - view);
  const reach = Math.max(0, height - view);
  if (reach === furthest)
    return { height, folded: false, toOffset: (scrollTop) => scrollTop, toScrollTop: (offset) => offset };
  const slope = (furthest - 2 * EDGE) / (reach - 2 * EDGE);
  return {
    height,
    folded: true,
    toOffset(scrollTop) {
      if (scrollTop <= EDGE) return scrollTop;
      if (scrollTop >= reach - EDGE) return furthest - (reach - scrollTop);
      return EDGE + (scrollTop - EDGE) * slope;
    },
    toScrollTop(offset) {
      if (offset <= EDGE) return offset;
      if (offset >= furthest - EDGE) return reach - (furthest - offset);
      return EDGE + (offset - EDGE) / slope;
    },
  };
}
