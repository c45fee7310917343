const counts = new Intl.NumberFormat("en");

/** 1204 as "1,204". Exact for a bigint: int64 counts never pass through a float. */
export const formatCount = (count: number | bigint): string =>
  // Beyond them a number is not exact, and three hundred digits say nothing.
  typeof count === "bigint" || Number.isSafeInteger(count) ? counts.format(count) : String(count);

/** "1 identity", "1,204 identities". */
export function formatQuantity(count: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${Number(count) === 1 ? one : many}`;
}
