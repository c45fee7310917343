export interface Pair {
  readonly key: string;
  readonly value: string;
}

export const toPairs = (map: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(map).map(([key, value]) => ({ key, value }));

/**
 * Converts rows to a map. Omits blank rows. A value without a key is stored under "", which no schema accepts, so that
 * it is neither lost nor sent. If keys repeat, the last one counts, and `repeated` names them.
 */
export function toMap(pairs: readonly Pair[]): { map: Record<string, string>; repeated: Set<string> } {
  const typed = pairs.filter(({ key, value }) => key !== "" || value !== "");
  const keys = typed.map(({ key }) => key).filter(Boolean);
  return {
    // From entries, since a key can be "__proto__".
    map: Object.fromEntries(typed.map(({ key, value }) => [key, value])),
    repeated: new Set(keys.filter((key, index) => keys.indexOf(key) !== index)),
  };
}
