import { compare as compareKeys } from "platform-contract/order";

type Key = string | number;

interface Keyed<T> {
  readonly row: T;
  readonly key: Key;
}

/**
 * Sorts the rows of a scan incrementally: sorts the added rows and merges them into the others, and drops the removed
 * ones, so that a new page or a deleted row does not sort a hundred thousand rows again. Stable. Returns the same
 * array for the same rows.
 */
export function sorter<T>(keyOf: (row: T) => Key, descending: boolean): (rows: readonly T[]) => readonly T[] {
  let source: readonly T[] = [];
  let sorted: readonly Keyed<T>[] = [];
  let result: readonly T[] = [];
  const compare = ({ key: a }: Keyed<T>, { key: b }: Keyed<T>): number =>
    descending ? compareKeys(b, a) : compareKeys(a, b);

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

/** Number of leading rows that were there before in this order; all rows after them count as new. */
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
