const counts = new Intl.NumberFormat("en");

/** 1204 as "1,204". Exact for a bigint: int64 counts never pass through a float. */
export const formatCount = (count: number | bigint): string => counts.format(count);

/** "1 identity", "1,204 identities". */
export function formatQuantity(count: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${Number(count) === 1 ? one : many}`;
}
