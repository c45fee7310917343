type Key = string | number;

const before = (a: Key, b: Key): boolean => a < b;

/**
 * Orders the rows of a scan as they come: those that were added are sorted and merged into the others, so that a hundred
 * thousand rows are never sorted in one go. Rows with the same key stay as they came. Same rows, same array.
 */
export function sorter<T>(keyOf: (row: T) => Key, descending: boolean): (rows: readonly T[]) => readonly T[] {
  let source: readonly T[] = [];
  let sorted: readonly T[] = [];
  const keys = new Map<T, Key>();
  const keyed = (row: T): Key => {
    const known = keys.get(row);
    if (known !== undefined) return known;
    const key = keyOf(row);
    keys.set(row, key);
    return key;
  };
  const compare = (a: T, b: T): number => {
    const [first, second] = [keyed(a), keyed(b)];
    if (first === second) return 0;
    return before(first, second) === descending ? 1 : -1;
  };

  return (rows) => {
    if (rows === source) return sorted;
    // Rows that were changed, removed, or put in between make it another list.
    const same = rows.length >= source.length && source.every((row, index) => row === rows[index]);
    if (!same) keys.clear();
    const added = (same ? rows.slice(source.length) : rows).toSorted(compare);
    sorted = same ? merge(sorted, added, compare) : added;
    source = rows;
    return sorted;
  };
}

function merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  const merged: T[] = [];
  let at = 0;
  for (const row of right) {
    while (at < left.length && compare(left[at] as T, row) <= 0) merged.push(left[at++] as T);
    merged.push(row);
  }
  while (at < left.length) merged.push(left[at++] as T);
  return merged;
}
