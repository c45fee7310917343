/** The row that stays in place on screen while rows around it come and go. */
export interface Anchor {
  readonly key: string;
  /** Its index at the time, and the keys at that time. */
  readonly index: number;
  readonly keys: readonly string[];
}

/**
 * Returns the anchor's present index in `keys`. If it is gone, returns that of the next row that remains, or else of
 * the previous one. Undefined if none of the rows remain: this is another list.
 */
export function findAnchor(anchor: Anchor, keys: readonly string[]): number | undefined {
  // The usual cases, without an index of every key: nothing moved, or pages were appended.
  if (keys[anchor.index] === anchor.key) return anchor.index;
  const places = new Map(keys.map((key, index) => [key, index]));
  for (const key of anchor.keys.slice(anchor.index)) {
    const place = places.get(key);
    if (place !== undefined) return place;
  }
  for (const key of anchor.keys.slice(0, anchor.index).toReversed()) {
    const place = places.get(key);
    if (place !== undefined) return place;
  }
  return undefined;
}
