type Key = string | number;

interface Keyed<T> {
  readonly row: T;
  readonly key: Key;
}

/**
 * Orders the rows of a scan as they come: those that were added are sorted and merged into the others, so that a hundred
 * thousand rows are never sorted in one go. Rows with the same key stay as they came. Same rows, same array.
 */
export function sorter<T>(keyOf: (row: T) => Key, descending: boolean): (rows: readonly T[]) => readonly T[] {
  let source: readonly T[] = [];
  let sorted: readonly Keyed<T>[] = [];
  let result: readonly T[] = [];
  const compare = ({ key: a }: Keyed<T>, { key: b }: Keyed<T>): number =>
    a === b ? 0 : a < b === descending ? 1 : -1;

  return (rows) => {
    if (rows === source) return result;
    // Rows that were changed, removed, or put in between make it another list.
    const grown = rows.length >= source.length && source.every((row, index) => row === rows[index]);
    const added = (grown ? rows.slice(source.length) : rows).map((row) => ({ row, key: keyOf(row) }));
    sorted = merge(grown ? sorted : [], added.toSorted(compare), compare);
    source = rows;
    result = sorted.map(({ row }) => row);
    return result;
  };
}

function merge<R>(left: readonly R[], right: readonly R[], compare: (a: R, b: R) => number): readonly R[] {
  const merged: R[] = [];
  let at = 0;
  for (const each of right) {
    while (at < left.length && compare(left[at] as R, each) <= 0) merged.push(left[at++] as R);
    merged.push(each);
  }
  while (at < left.length) merged.push(left[at++] as R);
  return merged;
}
