import { by } from "~/contract/order";
import type { Advisory } from "~/contract/vulnerabilities/advisories";
import { answerOf, ANSWERS, type VersionAnswer } from "~/features/advisories/installed";
import { exceptionsIn } from "~/features/advisories/places";
import { STATUSES, verdictOf, type Status, type Verdict } from "~/features/advisories/verdict";

export interface Judged {
  readonly advisory: Advisory;
  readonly verdict: Verdict;
  /** Where more particular advisories answer in its place. */
  readonly exceptions: readonly string[];
}

/** Groups advisories by status, most urgent first. */
export const judge = (found: readonly Advisory[]): ReadonlyMap<Status, readonly Judged[]> => {
  const exceptions = exceptionsIn(found);
  const judged = found
    .map((advisory) => ({
      advisory,
      verdict: verdictOf(advisory),
      exceptions: exceptions.get(advisory.uid) ?? [],
    }))
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

const TONES: Readonly<Record<VersionAnswer, Sentence["tone"]>> = {
  affected: "danger",
  unknown: "warning",
  not_affected: "success",
};
const TITLES: Readonly<Record<VersionAnswer, (version: string, of: string) => string>> = {
  affected: (version, of) => `Yes, ${version} is affected: ${of}`,
  unknown: (version, of) => `Unknown whether ${version} is affected: ${of}`,
  not_affected: (version, of) => `No, ${version} isn't affected: ${of}`,
};

/** Summarizes whether one version is affected, by the worst answer of any artifact. */
export function summarizeVersion(version: string, judged: ReadonlyMap<Status, readonly Judged[]>): Sentence {
  const all = [...judged.values()].flat();
  const answersOf = ({ advisory }: Judged) => (advisory.installedVersions ?? []).map(answerOf);
  const answer =
    ANSWERS.find((one) => all.some((judgedOne) => answersOf(judgedOne).includes(one))) ?? "unknown";
  const some = all.filter((one) => answersOf(one).includes(answer));
  return {
    tone: TONES[answer],
    title: TITLES[answer](version, artifacts(some.length > 0 ? some : all)),
    text: "Each artifact below says which range decides. Artifacts can have this version number in common by chance.",
  };
}
