import {
  eventTypeOf,
  newestEvent,
  type AdvisoryEvent,
  type AffectedRange,
} from "platform-contract/vulnerabilities/events";
import type { InstalledVersion } from "platform-contract/vulnerabilities/advisories";
import { placeOf } from "platform-contract/vulnerabilities/places";

import { boundOrderOf, isOrdered, orderOf } from "../../platform/store/versions/version-order";
import { contains } from "../../platform/store/versions/version-ranges";

/** The part of an advisory that decides. */
interface Stated {
  readonly artifactType?: string | undefined;
  readonly componentType?: string | undefined;
  readonly appliesTo?: string | undefined;
  readonly events?: readonly AdvisoryEvent[] | undefined;
}

type Decision = Pick<InstalledVersion, "verdict" | "range">;
const YES = "VERSION_VERDICT_AFFECTED";
const NO = "VERSION_VERDICT_NOT_AFFECTED";
const OPEN = "VERSION_VERDICT_UNKNOWN";

/** What the versions of an advisory are versions of: an image has none of its own, so of what is within. */
const orderedAs = ({ artifactType = "", componentType = "" }: Stated): string =>
  artifactType === "image" ? componentType : artifactType;

/** Whether an advisory affects a version of its artifact, and the range that decides it. */
export function decideVersion(stated: Stated, version: string): Decision {
  const { appliesTo = "", events = [] } = stated;
  const type = orderedAs(stated);
  const event = newestEvent(events);
  const kind = event && eventTypeOf(event);
  if (!event || kind === undefined) return { verdict: OPEN };
  const compare = orderOf(type);
  const { version: only } = placeOf(appliesTo);
  if (only !== undefined && only !== version && compare(only, version) !== 0) return { verdict: OPEN };
  if (kind === "falsePositiveDetermination") return { verdict: NO };
  const fixed = event.fixed?.fixedVersion;
  const said = event.affectedRanges ?? [];
  const ranges = said.length === 0 && fixed ? [{ fixed }] : said;
  const listed = isAmong(event.affectedVersions ?? [], version, type);
  if (listed === true) return { verdict: YES };
  if (ranges.length > 0) {
    const decision = decideByRanges(ranges, version, type);
    return decision.verdict === NO && listed === undefined ? { verdict: OPEN } : decision;
  }
  if ((event.affectedVersions ?? []).length > 0) return { verdict: listed === false ? NO : OPEN };
  if (kind === "patched")
    return { verdict: isAmong(event.patched?.patchedVersions ?? [], version, type) === true ? NO : OPEN };
  // Fixed without a version: the image, as it is.
  if (kind === "fixed") return { verdict: only === undefined ? OPEN : NO };
  const isAffected = ["truePositiveDetermination", "fixNotPlanned", "pendingUpstreamFix"].includes(kind);
  return { verdict: isAffected ? YES : OPEN };
}

/** No version of any ecosystem has these: a source's own words for several. */
const SEVERAL = /[\s<>=*|/]/;

/** Whether a list names a version, in whatever spelling; undefined if one of them cannot be compared with it. */
function isAmong(versions: readonly string[], version: string, type: string): boolean | undefined {
  const toBound = boundOrderOf(type);
  const isVersion = (one: string) => orderOf(type)(one, one) !== undefined;
  let isSure = true;
  for (const one of versions) {
    const order = one === version ? 0 : toBound(version, one);
    if (order === 0) return true;
    // A listed text that is no version is only itself; in an ecosystem without an order, all are.
    const isOther = order !== undefined || !isOrdered(type) || (isVersion(version) && !isVersion(one));
    if (!isOther || SEVERAL.test(one)) isSure = false;
  }
  return isSure ? false : undefined;
}

function decideByRanges(ranges: readonly AffectedRange[], version: string, type: string): Decision {
  const compare = boundOrderOf(type);
  const inside = ranges.map((range) => contains(range, version, type));
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
