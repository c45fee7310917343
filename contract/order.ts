type Key = string | number;

/** Negative if `one` comes before `other`, positive if after, 0 if they are equal; text by its UTF-16 code units. */
export const compare = <K extends Key>(one: K, other: K): number => (one < other ? -1 : Number(one > other));

/**
 * A comparator by keys, the first that differs decides. The last one should be unique: equal elements stay in the order in
 * which they came, which nobody chose.
 */
export const by =
  <T>(...keys: readonly ((element: T) => Key)[]) =>
  (one: T, other: T): number => {
    for (const key of keys) {
      const order = compare(key(one), key(other));
      if (order !== 0) return order;
    }
    return 0;
  };

/** The same, the largest key first. */
export const byDescending =
  <T>(...keys: readonly ((element: T) => Key)[]) =>
  (one: T, other: T): number =>
    by(...keys)(other, one);
