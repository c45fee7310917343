import { by } from "platform-contract/order";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { byArchitecture } from "~/domains/vulnerabilities/advisories/alike";
import { stateOf, type ImageState } from "~/domains/vulnerabilities/advisories/image-answer";
import { answerOf, ANSWERS, type VersionAnswer } from "~/domains/vulnerabilities/advisories/installed";
import { exceptionsIn } from "~/domains/vulnerabilities/advisories/places";
import type { HeldPackage, TagsHere } from "~/domains/vulnerabilities/advisories/tags-here";
import { grouped, vulnerabilityOf } from "~/domains/vulnerabilities/vulnerability-reports/distinct";
import { capitalize } from "~/ui/display/capitalize";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
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

/** Those that say the same about several architectures, together; each other one alone. */
export const alikeIn = (some: readonly Judged[]): readonly (readonly Judged[])[] =>
  byArchitecture(some, ({ advisory, exceptions }) => [
    exceptions,
    advisory.installedVersions?.map(({ version, verdict, range }) => [version, verdict, range]),
  ]);

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

/** How many versions to name in a title. */
const VERSIONS = 3;

/** "redis is fixed in 7.2.5-r0"; undefined if no fix is known. */
function fixText(some: readonly Judged[]): string | undefined {
  const fixed = some.filter(({ verdict }) => verdict.fixedIn.length > 0);
  const versions = [...new Set(fixed.flatMap(({ verdict }) => verdict.fixedIn))];
  if (versions.length === 0) return undefined;
  const names = new Set(fixed.map(({ advisory }) => advisory.artifactName));
  if (names.size > 1) return "fixed in newer versions";
  const more = versions.length - VERSIONS;
  return `fixed in ${versions.slice(0, VERSIONS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** What advisories say of packages, whether or not anything here holds them; by the worst status. */
function statedText(id: string, judged: ReadonlyMap<Status, readonly Judged[]>): string {
  const of = (status: Status) => judged.get(status) ?? [];
  const [affected, open, fixed] = [of("affected"), of("under_investigation"), of("fixed")];
  if (affected.length > 0)
    return `By advisories, ${id} affects ${artifacts(affected)}. ${
      affected.some(({ verdict }) => verdict.event?.affectedRanges?.some(({ fixed: version }) => version))
        ? "No fix is known for the newest versions."
        : "No fixed version is known."
    }`;
  if (open.length > 0) return `We don't know yet whether ${id} affects ${artifacts(open)}.`;
  if (fixed.length > 0) {
    const fix = fixText(fixed) ?? "fixed in newer versions";
    return fixed.every(({ verdict }) => verdict.event?.affectedRanges?.length)
      ? `Earlier versions of ${artifacts(fixed)} are affected, ${fix}.`
      : `${artifacts(fixed)}: ${fix}. Earlier versions count as affected: the advisories don't say since which.`;
  }
  return `Every advisory about ${id} says why it doesn't apply.`;
}

/** What is known of a package, without a version to decide about. */
const packageText = (all: readonly Judged[], contained: string | undefined): string =>
  `${formatQuantity(all.length, "advisory is", "advisories are")} about ${artifacts(all)}. ${
    contained === undefined ? "Add the installed version, such as 1.2.3-r0, for an answer about it." : ""
  }`;

/** Why a version of what others contain isn't decided. */
const containedText = (name: string, version: string | undefined): string =>
  `${version === undefined ? "" : `${version} wasn't compared with anything. `}The advisories are about packages that contain ${name}, and decide by the versions of those. `;

interface Facts {
  /** The vulnerability that is asked about; undefined if a package is, of which no version is named. */
  readonly id: string | undefined;
  readonly judged: ReadonlyMap<Status, readonly Judged[]>;
  /** What is known of the tags in the scope. */
  readonly here: TagsHere;
  /** Why more can be affected than is known: "your role hides ...". */
  readonly hidden?: string | undefined;
  /** The build that is asked about, as `buildOf()` says it; tags are counted in all of theirs. */
  readonly build?: string;
  /** The name that is asked about, if every advisory is about what contains it. */
  readonly contained?: string | undefined;
  /** The version of that which is asked about. */
  readonly version?: string | undefined;
  /** Of the one version in which it was detected: how many of the undecided tags hold that. */
  readonly detectedTags?: number | undefined;
}

/** True if every advisory says of every version that it isn't affected: that needs no image. */
const isSpared = (all: readonly Judged[]): boolean =>
  all.every(({ advisory, verdict }) => verdict.status === "not_affected" && !advisory.appliesTo);

/** The one answer to "are we affected?": affected is only who holds an affected version, by what is known. */
export interface HereAnswer {
  readonly state: ImageState;
  /** How many tags are affected, or hold what isn't decided, or are unknown. */
  readonly tags: number;
  /** True if these tags are known to hold it, in a version that no advisory decides about. */
  readonly holds?: boolean | undefined;
  /** Why it is unknown, if that isn't known of some tags alone. */
  readonly why?: string | undefined;
  /** Of how many; undefined if that isn't known. */
  readonly of?: number | undefined;
}

/** "3 of 5,223 tags", "3 more of 5,223 tags": of how many, where that is known. */
export const ofAll = (tags: number, of: number | undefined, more = false): string => {
  const count = `${formatCount(tags)}${more ? " more" : ""}`;
  return of === undefined
    ? `${count} ${tags === 1 ? "tag" : "tags"}`
    : `${count} of ${formatQuantity(of, "tag")}`;
};

export function answerHere({ judged, here, hidden }: Omit<Facts, "id">): HereAnswer {
  const all = [...judged.values()].flat();
  const spared = isSpared(all);
  const others = [
    ...new Set(
      all.flatMap(({ advisory: { artifactType } }) =>
        artifactType === "apk" ? [] : [artifactType || "unknown"],
      ),
    ),
  ].toSorted();
  const why =
    hidden ??
    (others.length > 0
      ? `images are compared with apk packages only, and some advisories are about the type ${others.join(", ")}`
      : undefined);
  if ("why" in here)
    return spared && hidden === undefined ? NOT_AFFECTED : { state: "unknown", tags: 0, why: here.why };
  const { counts, of } = here;
  const { undecided } = counts;
  const state = stateOf({ ...counts, unknown: counts.unknown + undecided });
  if (state === "affected") return { state, tags: counts.affected, of };
  if (spared && hidden === undefined) return NOT_AFFECTED;
  if (state === "unknown") return { state, tags: undecided || counts.unknown, holds: undecided > 0, of };
  return why === undefined ? { state, tags: 0, of } : { state: "unknown", tags: 0, why };
}
const NOT_AFFECTED: HereAnswer = { state: "not_affected", tags: 0 };

const contain = (tags: number): string => (tags === 1 ? "contains" : "contain");

const unknownText = (unknown = 0, of?: number): string =>
  unknown > 0
    ? `The packages of ${ofAll(unknown, of, true)} aren't known: no SBOM of their images was read. `
    : "";

/** The packages and versions in which something was detected that isn't decided yet. */
export const detectedIn = (open: readonly Judged[]): readonly HeldPackage[] => [
  ...new Map(
    open.flatMap(({ advisory: { artifactName }, verdict }) => {
      const packageVersion = verdict.event?.detection?.scanv1?.artifactVersion;
      if (!artifactName || !packageVersion) return [];
      return [[`${artifactName} ${packageVersion}`, { packageName: artifactName, packageVersion }]];
    }),
  ).values(),
];

function detectedText(open: readonly Judged[], tags: number | undefined): string {
  const found = detectedIn(open).map(({ packageName, packageVersion }) => `${packageName} ${packageVersion}`);
  if (found.length === 0) return "";
  const more = found.length - NAMED;
  const held = tags === undefined ? "" : `, which ${formatCount(tags)} of these tags ${contain(tags)}`;
  return `It was detected in ${found.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}${held}, and isn't decided yet. `;
}

/** Summarizes the answer in a sentence. */
export function summarize(facts: Facts): Sentence {
  const { id, judged, here } = facts;
  const { state, tags, holds, why, of } = answerHere(facts);
  const counts = "counts" in here ? here.counts : undefined;
  const all = [...judged.values()].flat();
  const { build, contained, detectedTags } = facts;
  const stated = `${build ? `The tags are counted in all builds of it, not only ${build}. ` : ""}${
    id === undefined ? packageText(all, contained) : statedText(id, judged)
  }`;
  const about = contained === undefined ? "" : containedText(contained, facts.version);
  switch (state) {
    case "affected": {
      const some = [...(judged.get("affected") ?? []), ...(judged.get("fixed") ?? [])];
      // Advisories about one package are about many vulnerabilities.
      const fix = id === undefined ? undefined : fixText(some);
      return {
        tone: "danger",
        title: `${ofAll(tags, of)} affected${fix === undefined ? "" : `; ${fix}`}: ${artifacts(some.length > 0 ? some : all)}`,
        text: `${about}Their images contain an affected version. ${
          counts && counts.undecided > 0
            ? `${ofAll(counts.undecided, of, true)} ${contain(counts.undecided)} a version that no advisory decides about. `
            : ""
        }${unknownText(counts?.unknown, of)}${stated}`,
      };
    }
    case "unknown": {
      const open = judged.get("under_investigation") ?? [];
      if (holds)
        return {
          tone: "warning",
          title: `Not decided for ${ofAll(tags, of)}: ${artifacts(open.length > 0 ? open : all)}`,
          text: `${about}No advisory says whether the ${tags === 1 ? "version that it contains is" : "versions that they contain are"} affected. ${detectedText(open, detectedTags)}${unknownText(counts?.unknown, of)}${stated}`,
        };
      return why === undefined
        ? {
            tone: "warning",
            title: `Unknown for ${ofAll(tags, of)}: ${artifacts(all)}`,
            text: `${about}The packages of their images aren't known: no SBOM of them was read. No other tag contains an affected version. ${stated}`,
          }
        : {
            tone: "warning",
            title: `Unknown whether a tag is affected: ${artifacts(all)}`,
            text: `${about}${capitalize(why)}. ${stated}`,
          };
    }
    case "not_affected":
      return {
        tone: isSpared(all) ? "info" : "success",
        title: `Not affected: ${artifacts(all)}`,
        text: isSpared(all) ? about + stated : `${about}No tag contains an affected version. ${stated}`,
      };
    case "none":
      return {
        tone: "info",
        title: `None known${of === undefined ? "" : ` of ${formatQuantity(of, "tag")}`}: ${artifacts(all)}`,
        text: `${about}No image of a tag here contains it among its known apk packages. ${stated}`,
      };
  }
}

const TONES: Readonly<Record<VersionAnswer, Sentence["tone"]>> = {
  affected: "danger",
  unknown: "warning",
  not_affected: "success",
};
const TITLES: Readonly<Record<VersionAnswer, (version: string, of: string, by: string) => string>> = {
  affected: (version, of) => `Yes, ${version} is affected: ${of}`,
  unknown: (version, of) => `Unknown whether ${version} is affected: ${of}`,
  not_affected: (version, of, by) => `No, ${version} isn't affected, by ${by}: ${of}`,
};

/** On which architectures vulnerabilities have no advisory, where they have one of another: those are not answered. */
export function unansweredIn(found: readonly Advisory[]): ReadonlyMap<string, number> {
  const all = [
    ...new Set(found.flatMap(({ artifactArchitecture }) => artifactArchitecture || [])),
  ].toSorted();
  const alike = grouped(found, ({ uid, advisoryId, aliases, artifactName }) =>
    JSON.stringify([vulnerabilityOf({ id: advisoryId || uid, aliases }), artifactName]),
  );
  const missing = all.map((architecture) => {
    const count = [...alike.values()].filter((some) =>
      some.every((one) => one.artifactArchitecture && one.artifactArchitecture !== architecture),
    ).length;
    return [architecture, count] as const;
  });
  return new Map(missing.filter(([, count]) => count > 0));
}

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
  /** Why an advisory that says otherwise can be hidden. */
  hidden?: string,
  /** The build that is asked about, as `buildOf()` says it. */
  build?: string,
): Sentence {
  const all = [...judged.values()].flat();
  const known = worstAnswer(all.map(({ advisory }) => advisory));
  const answer = hidden !== undefined && known === "not_affected" ? "unknown" : known;
  const some = all.filter(({ advisory }) => (advisory.installedVersions ?? []).map(answerOf).includes(known));
  const why = answer === known || hidden === undefined ? "" : `${capitalize(hidden)}. `;
  const unanswered =
    answer === "not_affected" ? unansweredIn(all.map(({ advisory }) => advisory)) : new Map();
  const by = `the ${formatQuantity(all.length, "advisory", "advisories")} recorded here`;
  const artifactName = [...new Set(all.map(({ advisory }) => advisory.artifactName ?? ""))]
    .slice(0, NAMED)
    .join(", ");
  const gaps = [...unanswered].map(
    ([architecture, count]) =>
      `Of ${formatQuantity(count, "vulnerability", "vulnerabilities")}, no advisory is about ${architecture}. `,
  );
  return {
    tone: TONES[gaps.length > 0 ? "unknown" : answer],
    title:
      gaps.length > 0
        ? `${version} isn't affected, by ${by}, but for ${[...unanswered.keys()].join(", ")} not all is known: ${artifactName}`
        : TITLES[answer](version, artifacts(some.length > 0 ? some : all), by),
    text: `${why}${gaps.join("")}${
      named
        ? "Each advisory below has its answer."
        : "Each artifact below has its answer. Artifacts can have this version number in common by chance."
    }${build ? ` The answer is for ${build}. The tags below are counted in all builds of it.` : ""}`,
  };
}

/** The version that a scanner says fixes it, beside what the advisories about its package say. */
export function scannerFixText(fixed: string, found: readonly Advisory[], hidden?: string): string {
  const scanner = `The scanner says it is fixed in ${fixed}`;
  const versions = [...new Set(found.flatMap((advisory) => verdictOf(advisory).fixedIn))];
  if (versions.includes(fixed)) return `${scanner}, and so do the advisories here.`;
  if (versions.length > 0) return `${scanner}; the advisories here say ${versions.join(", ")}.`;
  return `${scanner}; ${found.length > 0 ? "the advisories here name no fixed version" : `${noAdvisory(hidden)} is about it`}.`;
}

/** The subject of a sentence that says no advisory was found: a flat "no" only for those who see all of them. */
export const noAdvisory = (hidden: string | undefined): string =>
  `no advisory ${hidden === undefined ? "here" : "that you can see"}`;
