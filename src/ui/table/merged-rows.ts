/** How neighbouring records of a list become one row. */
export interface Merging<T> {
  /** Neighbours with the same text are one row. */
  readonly keyOf: (record: T) => string;
  /** What the list counts then: records, not rows. */
  readonly one: string;
  readonly plural: string;
}

/** The rows of loaded records. Records are numbered from 0 in the whole list, as the API does; so are rows. */
export interface MergedRows<T> {
  readonly rows: readonly T[];
  /** Index among the loaded records of the first record of each row, then their number. */
  readonly starts: readonly number[];
  /** The row with a record. Records that are not loaded yet are taken for one row each. */
  readonly rowOf: (record: number) => number;
  /** The first record of a row. */
  readonly recordOf: (row: number) => number;
}

const recordsByRow = new WeakMap<object, readonly unknown[]>();
const rowsByFirst = new WeakMap<object, unknown>();

/** The records that a row stands for; a record that is a row of its own stands for itself. */
export const recordsOf = <T>(row: T): readonly T[] =>
  (recordsByRow.get(row as object) as readonly T[] | undefined) ?? [row];

/** One row for several records: like the first one, and the same object as long as they are the same. */
function joined<T>(records: readonly T[]): T {
  const first = records[0] as T & object;
  if (records.length === 1) return first;
  const known = rowsByFirst.get(first) as T | undefined;
  const before = known && recordsOf(known);
  if (known && before?.length === records.length && before.every((one, index) => one === records[index]))
    return known;
  const made = { ...first };
  rowsByFirst.set(first, made);
  recordsByRow.set(made, records);
  return made;
}

/** Makes one row of neighbouring records with the same key. `firstRecord`: the number of the first loaded one. */
export function mergeRows<T>(
  records: readonly T[],
  firstRecord: number,
  keyOf: ((record: T) => string) | undefined,
): MergedRows<T> {
  const keys = keyOf && records.map(keyOf);
  const starts = [...records.keys()].filter(
    (index) => index === 0 || !keys || keys[index] !== keys[index - 1],
  );
  const count = starts.length;
  const folded = records.length - count;
  starts.push(records.length);
  return {
    rows:
      folded === 0
        ? records
        : starts.slice(0, -1).map((start, row) => joined(records.slice(start, starts[row + 1]))),
    starts,
    rowOf(record) {
      const index = record - firstRecord;
      if (index < 0) return record;
      if (index >= records.length) return record - folded;
      return firstRecord + starts.findLastIndex((start) => start <= index);
    },
    recordOf(row) {
      const index = row - firstRecord;
      return index < 0 ? row : index < count ? firstRecord + (starts[index] ?? 0) : row + folded;
    },
  };
}
