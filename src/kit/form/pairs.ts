export interface Pair {
  readonly key: string;
  readonly value: string;
}

export const toPairs = (map: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(map).map(([key, value]) => ({ key, value }));

/** The map that rows make: those without a key are left out; of keys that repeat the last counts, and they are named. */
export function toMap(pairs: readonly Pair[]): { map: Record<string, string>; repeated: Set<string> } {
  const named = pairs.filter(({ key }) => key !== "");
  const keys = named.map(({ key }) => key);
  return {
    // From entries, since a key may be "__proto__".
    map: Object.fromEntries(named.map(({ key, value }) => [key, value])),
    repeated: new Set(keys.filter((key, index) => keys.indexOf(key) !== index)),
  };
}
