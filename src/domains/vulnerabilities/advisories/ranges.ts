import type { AdvisoryEvent, AffectedRange } from "platform-contract/vulnerabilities/events";

/** A range in words: "from 1.2.0, before 1.4.7", "2.0.0 and later, no fix known". */
export function rangeText({ introduced, fixed, lastAffected, limit }: AffectedRange): string {
  const end =
    fixed !== undefined
      ? `before ${fixed}`
      : lastAffected !== undefined
        ? `up to ${lastAffected}`
        : limit !== undefined
          ? `before ${limit}, no fix known`
          : undefined;
  if (introduced === undefined) return end ?? "all versions, no fix known";
  return end === undefined ? `${introduced} and later, no fix known` : `from ${introduced}, ${end}`;
}

/** How many versions to name one by one. */
const NAMED = 12;

/** Which versions an event says are affected, a line each, the ranges before what these lack; empty if it does not say. */
export function affectedText({ affectedRanges = [], affectedVersions = [] }: AdvisoryEvent): string[] {
  const ranges = affectedRanges.map(rangeText);
  if (affectedVersions.length === 0) return ranges;
  const named = affectedVersions.slice(0, NAMED).join(", ");
  const more = affectedVersions.length - NAMED;
  return [...ranges, more > 0 ? `${named} and ${more} more` : named];
}
