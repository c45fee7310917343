/** The row that stays in place on screen while rows around it come and go. */
export interface Anchor {
  readonly key: string;
  /** Its index at the time, and the keys at that time. */
  readonly index: number;
  readonly keys: readonly string[];
}

/** Keeps the first of rows with the same key; a page read while rows move can repeat one. */
export function uniqueRows<T>(rows: readonly T[], rowKey: (row: T) => string): { rows: T[]; keys: string[] } {
  const all = rows.map(rowKey);
  const seen = new Set(all);
  // The usual case, and less work: a scan can find 100,000 rows.
  if (seen.size === all.length) return { rows: [...rows], keys: all };
  seen.clear();
  const kept = rows.filter((row) => {
    const key = rowKey(row);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return { rows: kept, keys: [...seen] };
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
