import type { AffectedRange } from "platform-contract/vulnerabilities/events";

import { orderWithStart, type CompareVersions } from "../../platform/store/versions/version-order";

/** One step of an OSV range: `introduced`, `fixed`, `last_affected` or `limit`. */
export type RangeEvent = Readonly<Record<string, string>>;

/** At one version, a range ends before another begins, and begins before it ends if it is that version alone. */
const RANK: Readonly<Record<string, number>> = { fixed: 0, introduced: 1, last_affected: 2 };

/**
 * Pairs the events of one OSV range into ranges, in the order of versions whatever the order in the record
 * (https://ossf.github.io/osv-schema/#evaluation). Versions without an order stay in that of the record.
 */
export function rangesOf(events: readonly RangeEvent[], compareVersions: CompareVersions): AffectedRange[] {
  const compare = orderWithStart(compareVersions);
  const steps = events.flatMap((event) => Object.entries(event));
  const sorted = steps
    .filter(([kind]) => kind in RANK)
    .toSorted(
      ([kind, one], [otherKind, other]) =>
        compare(one, other) || (one === other ? (RANK[kind] ?? 0) - (RANK[otherKind] ?? 0) : 0),
    );
  const ranges: AffectedRange[] = [];
  let open: string | undefined;
  for (const [kind, version] of sorted) {
    if (kind === "introduced") open ??= version;
    else if (open !== undefined) {
      // Introduced and fixed in one version: nothing was ever affected.
      if (kind === "last_affected") ranges.push({ ...since(open), lastAffected: version });
      else if (version !== open) ranges.push({ ...since(open), fixed: version });
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push(since(open));
  return limited(
    ranges,
    steps.flatMap(([kind, version]) => (kind === "limit" ? version : [])),
    compare,
  );
}

const since = (version: string): AffectedRange => (version === "0" ? {} : { introduced: version });

/** Only versions before one of the limits are affected, if there are any. */
function limited(
  ranges: readonly AffectedRange[],
  limits: readonly string[],
  compare: CompareVersions,
): AffectedRange[] {
  const limit = limits.toSorted((one, other) => compare(one, other) ?? 0).at(-1);
  if (limit === undefined || limits.includes("*")) return [...ranges];
  const isBefore = (version: string) => (compare(version, limit) ?? -1) < 0;
  return ranges.flatMap(({ introduced = "0", ...end }) => {
    if (!isBefore(introduced)) return [];
    const last = end.fixed ?? end.lastAffected;
    // A fix at the limit is still a fix.
    const ends = last !== undefined && (isBefore(last) || (last === end.fixed && compare(last, limit) === 0));
    return [{ ...since(introduced), ...(ends ? end : { limit }) }];
  });
}

/** True if some version could be in neither of two ranges, of which `one` begins first, and between them. */
function isApart(one: AffectedRange, next: AffectedRange, compare: CompareVersions): boolean {
  const end = one.fixed ?? one.limit ?? one.lastAffected;
  if (end === undefined) return false;
  const order = compare(end, next.introduced ?? "0");
  return order === undefined || order < 0;
}

/** The range that ends later; of two that end with one version, that which includes it, then that which has a fix. */
function longer(one: AffectedRange, other: AffectedRange, compare: CompareVersions): AffectedRange {
  const [end, otherEnd] = [one, other].map(
    ({ fixed, limit, lastAffected }) => fixed ?? limit ?? lastAffected,
  );
  if (end === undefined || otherEnd === undefined) return end === undefined ? one : other;
  const order = compare(end, otherEnd) ?? 0;
  if (order !== 0) return order > 0 ? one : other;
  if (one.lastAffected !== undefined || other.lastAffected !== undefined)
    return one.lastAffected !== undefined ? one : other;
  return one.fixed !== undefined ? one : other;
}

/**
 * Ranges of several entries as one set of versions, in the order of versions: what is fixed in one and still affected by
 * another is not fixed.
 */
export function unitedRanges(
  ranges: readonly AffectedRange[],
  compareVersions: CompareVersions,
): AffectedRange[] {
  const compare = orderWithStart(compareVersions);
  const sorted = ranges.toSorted(
    (one, other) => compare(one.introduced ?? "0", other.introduced ?? "0") ?? 0,
  );
  const united: AffectedRange[] = [];
  for (const range of sorted) {
    const before = united.at(-1);
    if (!before || isApart(before, range, compare)) united.push(range);
    else {
      const { introduced: _introduced, ...end } = longer(before, range, compare);
      united[united.length - 1] = { ...since(before.introduced ?? "0"), ...end };
    }
  }
  // Without an order, the same range can still come twice.
  return [...new Map(united.map((range) => [JSON.stringify(range), range])).values()];
}

/** The newest version that fixes something; undefined if nothing does. */
export function newestFix(
  ranges: readonly AffectedRange[],
  compareVersions: CompareVersions,
): string | undefined {
  const fixes = ranges.flatMap(({ fixed }) => fixed ?? []);
  return fixes.toSorted((one, other) => compareVersions(one, other) ?? 0).at(-1);
}

/** True if a fix ends every range. */
const areAllFixed = (ranges: readonly AffectedRange[]): boolean =>
  ranges.length > 0 && ranges.every(({ fixed }) => fixed !== undefined);

/** The event of affected ranges and versions: fixed if a fix ends all of them, else affected. */
export function eventOfRanges(
  ranges: readonly AffectedRange[],
  versions: readonly string[],
  compare: CompareVersions,
): {
  readonly type: "fixed" | "truePositiveDetermination";
  readonly data: Readonly<Record<string, unknown>>;
} {
  const fix = newestFix(ranges, compare);
  // A version without an order can only be older than the fix; words for several can be about newer ones.
  const isLater = (version: string) =>
    fix === undefined || (compare(version, fix) ?? (/\s/.test(version) ? 1 : -1)) >= 0;
  return areAllFixed(ranges) && fix !== undefined && !versions.some(isLater)
    ? { type: "fixed", data: { fixedVersion: fix } }
    : { type: "truePositiveDetermination", data: {} };
}
