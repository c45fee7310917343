import type { AffectedRange } from "platform-contract/vulnerabilities/events";

import { boundOrderOf, orderWithStart } from "./version-order";

/** Whether a range contains a version of a package of this type; undefined if the versions have no order. */
export function contains(
  { introduced = "0", fixed, lastAffected, limit }: AffectedRange,
  version: string,
  type: string,
): boolean | undefined {
  const compare = orderWithStart(boundOrderOf(type));
  const isAt = (bound: string, holds: (order: number) => boolean): boolean | undefined => {
    const order = compare(version, bound);
    return order === undefined ? undefined : holds(order);
  };
  const answers = [
    isAt(introduced, (order) => order >= 0),
    ...[fixed, limit].map((end) => (end === undefined ? true : isAt(end, (order) => order < 0))),
    lastAffected === undefined ? true : isAt(lastAffected, (order) => order <= 0),
  ];
  // One end that excludes it is enough.
  return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
}

/** True if a version certainly is in one of the ranges. */
export const isWithin = (version: string, ranges: readonly AffectedRange[], type: string): boolean =>
  ranges.some((range) => contains(range, version, type) === true);
