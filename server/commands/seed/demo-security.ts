import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { insertRows } from "../../platform/store/table";
import type {
  AdvisoryDraft,
  EventDraft,
  MetadataDraft,
  PackageDraft,
} from "../../domains/vulnerabilities/advisory-drafts.table";
import {
  backdateAdvisories,
  writeAdvisories,
  writeMetadata,
} from "../../domains/vulnerabilities/advisory-writes.table";
import { chance } from "./demo-chance";
import {
  BUILD_TOOLS,
  BUILT_FROM,
  FLAWS,
  MODERN,
  NOT_AFFECTED,
  NOTES,
  PACKAGES,
  REVIEWERS,
  SCANNER,
  TRIAGE,
  type DemoPackage,
} from "./demo-security-data";
import { REPOS } from "./demo-registry-data";
import { releasesOfRepo } from "./demo-tags";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Length of the package and vulnerability histories in days. */
const PACKAGED = 720;
const FOUND = 400;

interface Release {
  readonly version: string;
  /** Days before the seed. */
  readonly age: number;
}

/** 1.2.0 becomes 1.2.1; a version with fewer numbers gets another one. */
function patched(version: string, patch: number): string {
  const numbers = version.split(".");
  if (patch === 0) return version;
  if (numbers.length < 3) return `${version}.${patch}`;
  return [...numbers.slice(0, -1), Number(numbers.at(-1)) + patch].join(".");
}

/**
 * A package's releases, oldest first: those of its repo, or else a rebuild every two to six weeks, one in three with an
 * upstream patch.
 */
export function releasesOf({ name, version, repos: [repo] = [] }: DemoPackage): Release[] {
  if (version === undefined) return REPOS.filter((one) => one.name === repo).flatMap(releasesOfRepo);
  const releases: Release[] = [];
  let [patch, build] = [0, 0];
  for (let age = PACKAGED; age > 0; age -= 14 + chance(`${name} ${age} pause`, 28)) {
    releases.push({ version: `${patched(version, patch)}-r${build}`, age });
    if (chance(`${name} ${age} patch`, 3) === 0) [patch, build] = [patch + 1, 0];
    else build += 1;
  }
  return releases;
}

const pick = <T>(list: readonly T[], text: string): T => list[chance(text, list.length)] as T;

const releases = new Map(PACKAGES.map((one) => [one.name, releasesOf(one)]));

/** The packages of a build that is so many days old, for both architectures. */
export function packagesOf({ repo, variant, version: built }: DemoBuild, age: number): PackageDraft[] {
  const origins = new Set([
    "ca-certificates",
    ...(BUILT_FROM[repo] ?? []),
    ...(variant === "" ? [] : BUILD_TOOLS),
  ]);
  return PACKAGES.filter(({ name }) => origins.has(name)).flatMap(
    ({ name: origin, parts = [origin], repos }) => {
      const known = releases.get(origin) ?? [];
      const then = (known.findLast((release) => release.age >= age) ?? known[0]) as Release;
      const version = repos?.includes(repo) ? built : then.version;
      return ["x86_64", "aarch64"].flatMap((architecture) =>
        parts.map((name) => ({ architecture, name, version, origin })),
      );
    },
  );
}

interface Vulnerability {
  readonly one: DemoPackage;
  readonly id: string;
  readonly key: string;
  /** Days from its discovery to the seed. */
  readonly age: number;
}

/** Numbers that were never assigned: none of these is a real vulnerability. */
const vulnerabilities = (start: number): Vulnerability[] => {
  let serial = 90_100;
  return PACKAGES.flatMap((one) =>
    Array.from({ length: one.vulnerabilities }, (_, index) => {
      const key = `${one.name} ${index}`;
      const age = 1 + chance(`${key} age`, FOUND);
      const year = new Date(start - age * DAY).getUTCFullYear();
      return { one, key, age, id: `CVE-${year}-${(serial += 1 + chance(`${key} serial`, 7))}` };
    }),
  );
};

const ghsa = (key: string): string =>
  `GHSA-${[0, 1, 2].map((part) => Array.from({ length: 4 }, (_, at) => pick([..."23456789cfghjmpqrvwx"], `${key} ${part} ${at}`)).join("")).join("-")}`;

/** The history of a vulnerability, oldest first: found, judged, and usually fixed by a later release. */
function historyOf({ one, id, key, age }: Vulnerability, component: string, start: number): EventDraft[] {
  const at = (days: number) => new Date(start - days * DAY - chance(`${key} hour`, 24) * HOUR);
  const known = releases.get(one.name) ?? [];
  const present = known.findLast((release) => release.age >= age)?.version ?? "";
  const fix = known.find((release) => release.age < age - 1 - chance(`${key} work`, 12));
  const events: EventDraft[] = [];
  const add = (
    days: number,
    type: EventDraft["type"],
    data: EventDraft["data"],
    more: Partial<EventDraft> = {},
  ) =>
    events.push({
      type,
      data,
      at: at(Math.max(days, 0.02)),
      author: pick(TRIAGE, key),
      reviewer: pick(REVIEWERS, key),
      ...more,
    });
  const scan = {
    scanner: "grype",
    subpackage: one.name,
    component,
    componentVersion: present,
    artifactVersion: present,
  };
  const findings = Buffer.from(
    JSON.stringify({ matches: [{ vulnerability: id, artifact: component, version: present }] }),
  );
  add(
    age,
    "detection",
    { scanv1: { ...scan, scannerVersion: "0.96.0" } },
    {
      author: SCANNER,
      reviewer: "",
      findings: findings.toString("base64"),
    },
  );
  const course = chance(`${key} course`, 20);
  const soon = age - 1;
  if (course < 3) {
    const [type, note] = pick(NOT_AFFECTED, key);
    add(soon, "falsePositiveDetermination", { type, note });
  } else if (course === 3) add(soon, "analysisNotPlanned", { note: NOTES.analysisNotPlanned });
  else if (course === 4) {
    add(soon, "truePositiveDetermination", { note: NOTES.truePositiveDetermination });
    add(soon - 2, "fixNotPlanned", { note: NOTES.fixNotPlanned });
  } else {
    // The latest event of some is still under review.
    const proposed = !fix && course % 3 === 0;
    if (course % 2 === 0 && !proposed)
      add(soon, "truePositiveDetermination", { note: NOTES.truePositiveDetermination });
    if (course % 5 === 0 && !proposed)
      add(soon - 0.5, "pendingUpstreamFix", { note: NOTES.pendingUpstreamFix });
    if (fix && course === 7) add(fix.age, "patched", { patchedVersions: [fix.version], note: NOTES.patched });
    if (fix) add(fix.age, "fixed", { fixedVersion: fix.version });
    else if (proposed)
      add(
        Math.min(soon, 3),
        "falsePositiveDetermination",
        { type: NOT_AFFECTED[0][0], note: "Proposed." },
        {
          reviewer: "",
          reviewState: course % 2 === 0 ? "REVIEW_STATE_PENDING" : "REVIEW_STATE_REQUEST_CHANGES",
        },
      );
  }
  return events;
}

/** The demo's advisories and their vulnerability metadata, the same at every seed except for their times. */
export function demoAdvisories(start: number): { advisories: AdvisoryDraft[]; metadata: MetadataDraft[] } {
  const found = vulnerabilities(start);
  const advisories = found.flatMap((vulnerability): AdvisoryDraft[] => {
    const { one, id, key, age } = vulnerability;
    const [type, component, location] = one.components
      ? pick(one.components, key)
      : (["apk", one.name, "/lib/apk/db/installed"] as const);
    const draft = {
      vulnerability: id,
      aliases: chance(`${key} ghsa`, 3) === 0 ? [] : [ghsa(key)],
      author: SCANNER,
      artifactType: "apk",
      componentName: component,
      componentLocation: location,
      componentType: type,
      origin: one.name,
      namespace: "meridian",
      createdAt: new Date(start - age * DAY - chance(`${key} hour`, 24) * HOUR),
      events: historyOf(vulnerability, component, start),
    };
    const architectures = chance(`${key} architecture`, 12) === 0 ? ["x86_64", "aarch64"] : ["x86_64"];
    return architectures.map((artifactArchitecture) => ({
      ...draft,
      artifactName: one.name,
      artifactArchitecture,
    }));
  });
  const metadata = found.map(({ one, id, key }): MetadataDraft => {
    const [summary, vector] = pick(FLAWS, `${key} flaw`);
    const modern =
      chance(`${key} modern`, 4) === 0 ? [{ type: "TYPE_CVSS_V4", score: pick(MODERN, key) }] : [];
    return {
      id,
      toldBy: id,
      summary: `${one.name}: ${summary[0]?.toLowerCase()}${summary.slice(1)}`,
      details: `${summary} in ${one.name}. Made for the demo: no such vulnerability was published.`,
      references: [
        { type: "TYPE_ADVISORY", url: `https://advisories.example/${id}` },
        { type: "TYPE_FIX", url: `https://git.example/${one.name}/commit/${chance(key, 1e9).toString(16)}` },
      ],
      severities: [{ type: "TYPE_CVSS_V3", score: vector }, ...modern],
    };
  });
  return { advisories, metadata };
}

/** Writes the advisories into the organization that owns the images. */
export async function seedAdvisories(queries: Queries, organization: string): Promise<void> {
  const { advisories, metadata } = demoAdvisories(now().getTime());
  await writeMetadata(queries, metadata);
  await writeAdvisories(queries, organization, advisories);
  await backdateAdvisories(queries, organization);
}

/** A build of an image, and its time. */
export interface DemoBuild {
  readonly repo: string;
  readonly variant: string;
  readonly digest: string;
  /** Of the package that the repo is named after. */
  readonly version: string;
  readonly at: Date;
}

/** How many days back images are described: a report of ninety days also needs the ones before. */
const DESCRIBED = 200;

/** Writes the packages of the newer builds. */
export async function seedPackages(
  queries: Queries,
  builds: readonly DemoBuild[],
  start: number,
): Promise<void> {
  const described = builds.flatMap((build) => {
    const age = (start - build.at.getTime()) / DAY;
    const { digest } = build;
    return age <= DESCRIBED ? packagesOf(build, age).map((one) => ({ digest, ...one })) : [];
  });
  await insertRows(queries, "image_packages", described, { skips: true });
}
