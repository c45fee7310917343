import { formatCount } from "../display/numbers";

interface Range {
  /** Index of the first row in view among all rows of the list, from 0, and how many there is room for. */
  readonly first: number;
  readonly visible: number;
  /** How many rows there are, as far as anybody knows, and whether there are more than that. */
  readonly count: number;
  readonly more: boolean;
}

/** "1–42 of 118"; "1–42 of 200+" while nobody knows how many there are. */
export function rangeText({ first, visible, count, more }: Range): string {
  if (count === 0) return "0 of 0";
  const from = Math.min(first, count - 1) + 1;
  const to = Math.max(from, Math.min(first + visible, count));
  return `${formatCount(from)}–${formatCount(to)} of ${formatCount(count)}${more ? "+" : ""}`;
}
