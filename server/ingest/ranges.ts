import type { AffectedRange } from "~/contract/vulnerabilities/events";

import type { CompareVersions } from "./version-order";

/** One step of an OSV range: `introduced`, `fixed`, `last_affected` or `limit`. */
export type RangeEvent = Readonly<Record<string, string>>;

/** "0" is before every version. */
const orderWith =
  (compare: CompareVersions): CompareVersions =>
  (one, other) => {
    if (one === other) return 0;
    if (one === "0") return -1;
    return other === "0" ? 1 : compare(one, other);
  };

/** At one version, a range ends before another begins, and begins before it ends if it is that version alone. */
const RANK: Readonly<Record<string, number>> = { fixed: 0, limit: 0, introduced: 1, last_affected: 2 };

/**
 * Pairs the events of one OSV range into ranges, in the order of versions whatever the order in the record
 * (https://ossf.github.io/osv-schema/#evaluation). Versions without an order stay in that of the record.
 */
export function rangesOf(events: readonly RangeEvent[], compareVersions: CompareVersions): AffectedRange[] {
  const compare = orderWith(compareVersions);
  const steps = events.flatMap((event) => Object.entries(event)).filter(([kind]) => kind in RANK);
  const sorted = steps.toSorted(
    ([kind, one], [otherKind, other]) =>
      compare(one, other) || (one === other ? (RANK[kind] ?? 0) - (RANK[otherKind] ?? 0) : 0),
  );
  const ranges: AffectedRange[] = [];
  let open: string | undefined;
  for (const [kind, version] of sorted) {
    if (kind === "introduced") open ??= version;
    else if (open !== undefined) {
      // Introduced and fixed in one version: nothing was ever affected.
      if (kind === "last_affected" || version !== open)
        ranges.push({ ...since(open), [ENDS[kind] ?? kind]: version });
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push(since(open));
  return ranges;
}

const ENDS: Readonly<Record<string, string>> = { last_affected: "lastAffected" };

const since = (version: string): AffectedRange => (version === "0" ? {} : { introduced: version });

/** Ranges of several entries, each once, by where they begin. */
export function sortedRanges(
  ranges: readonly AffectedRange[],
  compareVersions: CompareVersions,
): AffectedRange[] {
  const compare = orderWith(compareVersions);
  const distinct = [...new Map(ranges.map((range) => [JSON.stringify(range), range])).values()];
  return distinct.toSorted(
    (one, other) =>
      (compare(one.introduced ?? "0", other.introduced ?? "0") ?? 0) ||
      (compare(one.fixed ?? "", other.fixed ?? "") ?? 0),
  );
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
export const areAllFixed = (ranges: readonly AffectedRange[]): boolean =>
  ranges.length > 0 && ranges.every(({ fixed }) => fixed !== undefined);
