type Key = string | number;

interface Keyed<T> {
  readonly row: T;
  readonly key: Key;
}

/**
 * Orders the rows of a scan as they come: those that were added are sorted and merged into the others, and those that
 * went are left out, so that a hundred thousand rows are not sorted again because one page came or one row was deleted.
 * Rows with the same key stay as they came. Same rows, same array.
 */
export function sorter<T>(keyOf: (row: T) => Key, descending: boolean): (rows: readonly T[]) => readonly T[] {
  let source: readonly T[] = [];
  let sorted: readonly Keyed<T>[] = [];
  let result: readonly T[] = [];
  const compare = ({ key: a }: Keyed<T>, { key: b }: Keyed<T>): number =>
    a === b ? 0 : a < b === descending ? 1 : -1;

  return (rows) => {
    if (rows === source) return result;
    const stayed = countStayed(source, rows);
    if (stayed < source.length) {
      const here = new Set(rows.slice(0, stayed));
      sorted = sorted.filter(({ row }) => here.has(row));
    }
    const added = rows.slice(stayed).map((row) => ({ row, key: keyOf(row) }));
    sorted = merge(sorted, added.toSorted(compare), compare);
    source = rows;
    result = sorted.map(({ row }) => row);
    return result;
  };
}

/** How many rows, from the first, were there before in this order; all that follows them counts as new. */
function countStayed<T>(before: readonly T[], now: readonly T[]): number {
  let stayed = 0;
  for (const row of before) if (row === now[stayed]) stayed += 1;
  return stayed;
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
