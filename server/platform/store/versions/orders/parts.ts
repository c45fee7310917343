/** Negative if `one` is older, positive if it is newer, 0 if they are equal; undefined if either is no version. */
export type CompareVersions = (one: string, other: string) => number | undefined;

export const sign = <T extends string | number | bigint>(one: T, other: T): number =>
  one < other ? -1 : Number(one > other);

/** Of two numbers written in digits, however long. */
export const compareDigits = (one: string, other: string): number => sign(BigInt(one), BigInt(other));

/** The first part that differs decides; `compare` is given undefined where a list has ended. */
export function compareLists<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (a: T | undefined, b: T | undefined) => number,
): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const order = compare(one[at], other[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** How many versions to remember: records of one package list the same ones again and again. */
const REMEMBERED = 5_000;

/** The order of what `read` makes of versions, each of which is read once; it returns undefined for what is no version. */
export function comparing<T extends object | string>(
  read: (version: string) => T | undefined,
  compare: (a: T, b: T) => number,
): CompareVersions {
  const known = new Map<string, T | undefined>();
  const readOnce = (version: string): T | undefined => {
    if (known.has(version)) return known.get(version);
    if (known.size >= REMEMBERED) known.clear();
    const result = read(version);
    known.set(version, result);
    return result;
  };
  return (one, other) => {
    const [a, b] = [readOnce(one), readOnce(other)];
    return a === undefined || b === undefined ? undefined : compare(a, b);
  };
}
