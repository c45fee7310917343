import {
  eventTypeOf,
  newestEvent,
  type AdvisoryEvent,
  type AffectedRange,
} from "~/contract/vulnerabilities/events";
import type { InstalledVersion } from "~/contract/vulnerabilities/advisories";

import { orderOf } from "../versions/version-order";
import { contains } from "../versions/version-ranges";

/** The part of an advisory that decides. */
interface Stated {
  readonly artifactType?: string | undefined;
  readonly appliesTo?: string | undefined;
  readonly events?: readonly AdvisoryEvent[] | undefined;
}

type Decision = Pick<InstalledVersion, "verdict" | "range">;
const YES = "VERSION_VERDICT_AFFECTED";
const NO = "VERSION_VERDICT_NOT_AFFECTED";
const OPEN = "VERSION_VERDICT_UNKNOWN";

/** The version that an advisory is limited to, in `Wolfi 1.2.3-r0`; releases of distributions and digests are none. */
const versionIn = (appliesTo: string): string | undefined =>
  appliesTo.split(" ").find((word) => /^v?\d/.test(word));

/** Whether an advisory affects a version of its artifact, and the range that decides it. */
export function decideVersion(
  { artifactType = "", appliesTo = "", events = [] }: Stated,
  version: string,
): Decision {
  const event = newestEvent(events);
  const type = event && eventTypeOf(event);
  if (!event || type === undefined) return { verdict: OPEN };
  const compare = orderOf(artifactType);
  const only = versionIn(appliesTo);
  if (only !== undefined && only !== version && compare(only, version) !== 0) return { verdict: OPEN };
  if (type === "falsePositiveDetermination") return { verdict: NO };
  const fixed = event.fixed?.fixedVersion;
  const stated = event.affectedRanges ?? [];
  const ranges = stated.length === 0 && fixed ? [{ fixed }] : stated;
  const versions = event.affectedVersions ?? [];
  if (versions.includes(version)) return { verdict: YES };
  if (ranges.length > 0) return decideByRanges(ranges, version, artifactType);
  if (versions.length > 0) return { verdict: NO };
  if (type === "patched")
    return { verdict: event.patched?.patchedVersions?.includes(version) === true ? NO : OPEN };
  // Fixed without a version: the image, as it is.
  if (type === "fixed") return { verdict: only === undefined ? OPEN : NO };
  const isAffected = ["truePositiveDetermination", "fixNotPlanned", "pendingUpstreamFix"].includes(type);
  return { verdict: isAffected ? YES : OPEN };
}

function decideByRanges(ranges: readonly AffectedRange[], version: string, artifactType: string): Decision {
  const compare = orderOf(artifactType);
  const inside = ranges.map((range) => contains(range, version, compare));
  const at = inside.indexOf(true);
  if (at >= 0) return { verdict: YES, range: ranges[at] };
  if (inside.includes(undefined)) return { verdict: OPEN };
  // The last range that it is behind, else the first that it is before.
  const behind = ranges.findLast(({ fixed, lastAffected, limit }) => {
    const end = fixed ?? lastAffected ?? limit;
    return end !== undefined && (compare(version, end) ?? -1) >= 0;
  });
  return { verdict: NO, range: behind ?? ranges[0] };
}
