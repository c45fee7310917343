import { by } from "platform-contract/order";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { answerOf, ANSWERS, type VersionAnswer } from "~/domains/vulnerabilities/advisories/installed";
import { exceptionsIn } from "~/domains/vulnerabilities/advisories/places";
import { formatQuantity } from "~/ui/display/numbers";
import { STATUSES, verdictOf, type Status, type Verdict } from "~/domains/vulnerabilities/advisories/verdict";

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

/** How many artifacts to name. */
const NAMED = 3;

/** "redis, on 2 architectures", "curl, git, zlib and 3 more". */
const artifacts = (some: readonly Judged[]): string => {
  const names = [
    ...new Set(
      some.map(({ advisory: { artifactName, advisoryId, uid } }) => artifactName || advisoryId || uid),
    ),
  ];
  const more = names.length - NAMED;
  const named = names.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const { size } = new Set(some.flatMap(({ advisory }) => advisory.artifactArchitecture || []));
  return names.length === 1 && size > 1 ? `${named}, on ${size} architectures` : named;
};

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
      // Whether a fix is what runs here is not known from the advisories.
      tone: "warning",
      title: `Fixed in newer versions: ${artifacts(fixed)}`,
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

/** The worst answer to whether the version that was asked about is affected; unknown without any. */
export const worstAnswer = (found: readonly Advisory[]): VersionAnswer => {
  const said = found.flatMap(({ installedVersions = [] }) => installedVersions.map(answerOf));
  return ANSWERS.find((one) => said.includes(one)) ?? "unknown";
};

/** Summarizes whether one version is affected, by the worst answer of any artifact. */
export function summarizeVersion(
  version: string,
  judged: ReadonlyMap<Status, readonly Judged[]>,
  /** True if the question names the package too. */
  named = false,
): Sentence {
  const all = [...judged.values()].flat();
  const answer = worstAnswer(all.map(({ advisory }) => advisory));
  const some = all.filter(({ advisory }) =>
    (advisory.installedVersions ?? []).map(answerOf).includes(answer),
  );
  return {
    tone: TONES[answer],
    title: TITLES[answer](version, artifacts(some.length > 0 ? some : all)),
    text: named
      ? "Each advisory below has its answer."
      : "Each artifact below has its answer. Artifacts can have this version number in common by chance.",
  };
}

/** What is known of a package, without a version to decide about. */
export function summarizePackage(name: string, found: readonly Advisory[]): Sentence {
  const count = formatQuantity(found.length, "advisory is", "advisories are");
  return {
    tone: "warning",
    title: `Unknown without a version: ${count} about ${name}`,
    text: "Add the installed version, such as 1.2.3-r0, for an answer.",
  };
}
