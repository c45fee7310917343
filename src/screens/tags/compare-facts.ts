import { formatBytes } from "~/ui/display/numbers";

import { byArchitecture, type Platform } from "./platforms";

/** One architecture in two images; undefined on the side that lacks it. */
export interface ComparedPlatform {
  readonly architecture: string;
  readonly a: Platform | undefined;
  readonly b: Platform | undefined;
  /** From the first to the second, in words. */
  readonly difference: string;
}

/** "+1.2 MB (3.5%)", "-800 kB (2%)", "same". */
function differenceOf(a: number | bigint, b: number | bigint): string {
  const by = BigInt(b) - BigInt(a);
  if (by === 0n) return "same";
  const share = Number(a) === 0 ? undefined : Math.abs(Number(by) / Number(a));
  const percent =
    share === undefined
      ? ""
      : ` (${share.toLocaleString("en", { style: "percent", maximumFractionDigits: 1 })})`;
  return `${by > 0n ? "+" : "\u2212"}${formatBytes(by > 0n ? by : -by)}${percent}`;
}

/** The architectures of two images, in the order that they have everywhere. */
export function comparePlatforms(a: readonly Platform[], b: readonly Platform[]): ComparedPlatform[] {
  const names = [...new Set([...a, ...b].map(({ architecture }) => architecture))].toSorted(byArchitecture);
  return names.map((architecture) => {
    const [first, second] = [a, b].map((each) => each.find((one) => one.architecture === architecture));
    const difference =
      first === undefined
        ? "only in the second"
        : second === undefined
          ? "only in the first"
          : first.size === undefined || second.size === undefined
            ? "unknown"
            : differenceOf(first.size, second.size);
    return { architecture, a: first, b: second, difference };
  });
}
