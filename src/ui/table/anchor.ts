/** The row that stays where it is while rows around it come and go. */
export interface Anchor {
  readonly key: string;
  /** Its index when it was taken, and the keys of that moment. */
  readonly index: number;
  readonly keys: readonly string[];
}

/** The first of rows with the same key; a page fetched while rows move can repeat one (contract B11). */
export function uniqueRows<T>(rows: readonly T[], rowKey: (row: T) => string): { rows: T[]; keys: string[] } {
  const all = rows.map(rowKey);
  const seen = new Set(all);
  // The usual case, and less work: a scan may find 100,000 rows.
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
 * Where the anchor is now, by index in `keys`. When it is gone, the row that followed it stands in its place, else the
 * one before it. Undefined when no row of then is left: this is another list.
 */
export function findAnchor(anchor: Anchor, keys: readonly string[]): number | undefined {
  // The usual cases, without an index of every key: nothing moved, or pages were added behind.
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
