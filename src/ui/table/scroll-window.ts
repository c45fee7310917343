interface ScrollWindow {
  /** The first row that the scroll bar covers now, and the most rows that it can cover. */
  readonly base: number;
  readonly most: number;
  /** Rows of the whole list. */
  readonly count: number;
}

/** Returns the first row that the scroll bar covers after a move to row `to`, if `room` rows are in view. */
export function windowStart(to: number, { base, most, count }: ScrollWindow, room: number): number {
  const inside = (to >= base + room || base === 0) && to <= base + most - 2 * room;
  return Math.max(0, Math.min(inside ? base : Math.round(to - most / 2), count - most));
}
