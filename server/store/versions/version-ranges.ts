import type { AffectedRange } from "~/contract/vulnerabilities/events";

import { orderWithStart, type CompareVersions } from "./version-order";

/** Whether a range contains a version; undefined if the versions have no order. */
export function contains(
  { introduced = "0", fixed, lastAffected, limit }: AffectedRange,
  version: string,
  compareVersions: CompareVersions,
): boolean | undefined {
  const compare = orderWithStart(compareVersions);
  const start = compare(introduced, version);
  let isBeforeEnds = true;
  for (const end of [fixed, limit, lastAffected]) {
    if (end === undefined) continue;
    const order = compare(version, end);
    if (order === undefined) return undefined;
    isBeforeEnds &&= order < 0 || (order === 0 && lastAffected !== undefined);
  }
  return start === undefined ? undefined : start <= 0 && isBeforeEnds;
}

/** True if a version certainly is in none of the ranges. */
export const isOutside = (
  version: string,
  ranges: readonly AffectedRange[],
  compare: CompareVersions,
): boolean => ranges.every((range) => contains(range, version, compare) === false);
