import { formatCount } from "../numbers";

interface Range {
  /** Index of the first row in view among all rows of the list, from 0. */
  readonly first: number;
  /** How many rows are in view. */
  readonly visible: number;
  /** Index of the first loaded row, and how many are loaded. */
  readonly firstRow: number;
  readonly loaded: number;
  /** What the server counted; undefined where it does not count. */
  readonly total: number | bigint | undefined;
  readonly hasMore: boolean;
}

/** "1–42 of 118"; "1–42 of 200+" while nobody knows how many there are. */
export function rangeText({ first, visible, firstRow, loaded, total, hasMore }: Range): string {
  const known = firstRow + loaded;
  if (known === 0) return "0 of 0";
  const from = Math.min(first, known - 1) + 1;
  const to = Math.max(from, Math.min(first + visible, known));
  // Rows come and go between a count and the page after it: never "1–42 of 41".
  const all = total === undefined || total < known ? known : total;
  const more = hasMore && all === known ? "+" : "";
  return `${formatCount(from)}–${formatCount(to)} of ${formatCount(all)}${more}`;
}
