import { formatCount } from "../display/numbers";

interface Range {
  /** Index of the first row in view in the whole list, from 0, and how many rows fit. */
  readonly first: number;
  readonly visible: number;
  /** Known number of rows, and whether there are more. */
  readonly count: number;
  readonly more: boolean;
}

/** "1–42 of 118"; "1–42 of 200+" while the total is unknown. */
export function rangeText({ first, visible, count, more }: Range): string {
  if (count === 0) return "0 of 0";
  const from = Math.min(first, count - 1) + 1;
  const to = Math.max(from, Math.min(first + visible, count));
  return `${formatCount(from)}–${formatCount(to)} of ${formatCount(count)}${more ? "+" : ""}`;
}
