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
  const ends = [fixed, limit, lastAffected].flatMap((end) =>
    end === undefined ? [] : compare(version, end),
  );
  if (start === undefined || ends.includes(undefined)) return undefined;
  if (start > 0) return false;
  return ends.every((order) => (order ?? 0) < 0 || (order === 0 && lastAffected !== undefined));
}

/** True if a version certainly is in none of the ranges. */
export const isOutside = (
  version: string,
  ranges: readonly AffectedRange[],
  compare: CompareVersions,
): boolean => ranges.every((range) => contains(range, version, compare) === false);
