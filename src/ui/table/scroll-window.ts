interface ScrollWindow {
  /** The first row that the scroll bar covers now, and how many it covers at most. */
  readonly base: number;
  readonly most: number;
  /** Rows of the whole list. */
  readonly count: number;
}

/** The first row that the scroll bar covers once the list is at row `to`, where `room` rows are in view. */
export function windowStart(to: number, { base, most, count }: ScrollWindow, room: number): number {
  const inside = (to >= base + room || base === 0) && to <= base + most - 2 * room;
  return Math.max(0, Math.min(inside ? base : Math.round(to - most / 2), count - most));
}
