/** True if a text is a key of this record itself, and not of its prototype. */
export const isKeyOf = <K extends string>(record: Readonly<Record<K, unknown>>, key: string): key is K =>
  Object.hasOwn(record, key);

/** The keys of a record that has no others than its type says. */
export const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): K[] =>
  Object.keys(record).filter((key) => isKeyOf(record, key));

/** A record with these keys. */
export const recordWith = <K extends string, V>(keys: readonly K[], of: (key: K) => V) =>
  // The type of `fromEntries` forgets which keys there are.
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>;

/** True if a value is one of these. */
export const isOneOf = <T>(values: readonly T[], value: unknown): value is T =>
  values.some((each) => each === value);
