import { by } from "~/contract/order";
import type { Advisory } from "~/contract/vulnerabilities/advisories";
import { STATUSES, verdictOf, type Status, type Verdict } from "~/features/advisories/verdict";

export interface Judged {
  readonly advisory: Advisory;
  readonly verdict: Verdict;
}

/** Groups advisories by status, most urgent first. */
export const judge = (found: readonly Advisory[]): ReadonlyMap<Status, readonly Judged[]> => {
  const judged = found
    .map((advisory) => ({ advisory, verdict: verdictOf(advisory) }))
    .toSorted(
      by(
        ({ advisory }) => advisory.artifactName ?? "",
        ({ advisory }) => advisory.appliesTo ?? "",
        ({ advisory }) => advisory.uid,
      ),
    );
  return new Map(
    STATUSES.map((status) => [status, judged.filter(({ verdict }) => verdict.status === status)]),
  );
};

interface Sentence {
  readonly tone: "danger" | "warning" | "success" | "info";
  readonly title: string;
  readonly text: string;
}

/** Adds the advisory count if it differs: an artifact has one per architecture, component and release. */
const artifacts = (some: readonly Judged[]): string => {
  const { size } = new Set(some.map(({ advisory }) => `${advisory.artifactType} ${advisory.artifactName}`));
  const words = size === 1 ? "1 artifact" : `${size} artifacts`;
  return size === some.length ? words : `${words} (${some.length} advisories)`;
};

/** "1 package", or the names of the artifacts' types, if these differ. */
const packages = (some: readonly Judged[]): string => {
  const { size } = new Set(some.map(({ advisory }) => `${advisory.artifactType} ${advisory.artifactName}`));
  return size === 1 ? "1 package" : `${size} packages`;
};

/** Summarizes the answer in a sentence, by the worst status found. */
export function summarize(id: string, judged: ReadonlyMap<Status, readonly Judged[]>): Sentence {
  const of = (status: Status) => judged.get(status) ?? [];
  const [affected, open, fixed] = [of("affected"), of("under_investigation"), of("fixed")];
  if (affected.length > 0)
    return {
      tone: "danger",
      title: `Affected: ${artifacts(affected)}`,
      text: `${id} affects ${packages(affected)} below. ${
        affected.some(({ verdict }) => verdict.event?.affectedRanges?.some(({ fixed }) => fixed))
          ? "No fix is known for the newest versions."
          : "No fixed version is known."
      }`,
    };
  if (open.length > 0)
    return {
      tone: "warning",
      title: `Under investigation: ${artifacts(open)}`,
      text: `We don't know yet whether ${id} affects ${packages(open)} below.`,
    };
  if (fixed.length > 0)
    return {
      tone: "success",
      title: `Fixed: ${artifacts(fixed)}`,
      text: "Earlier versions are affected. Check which version you run.",
    };
  return {
    tone: "info",
    title: `Not affected: ${artifacts(of("not_affected"))}`,
    text: `Every advisory about ${id} says why it doesn't apply.`,
  };
}
