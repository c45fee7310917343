import * as z from "zod/mini";

import { UID_PATTERN } from "../aip";
import { KINDS } from "../kinds";
import { resource, type ItemOf, type ListQuery } from "../resource";
import { answeredEnum, NAME_BYTES, openEnum, text } from "../schema";
import { advisoryEvent, affectedRange, EVENT_TYPE_FILTERS, REVIEW_STATES } from "./events";
import { imagePackages } from "./image-packages";
import { severity } from "./severity";

/** Maximum number of values per filter. */
const MOST = 1_000;

const several = <T extends z.ZodMiniType>(one: T) =>
  z.optional(z.array(one).check(z.maxLength(MOST, `must have at most ${MOST} values`)));
const texts = () => several(text({ bytes: NAME_BYTES }));
const answered = () => z.optional(z.string());

export const VERSION_VERDICTS = [
  "VERSION_VERDICT_UNSPECIFIED",
  "VERSION_VERDICT_AFFECTED",
  "VERSION_VERDICT_NOT_AFFECTED",
  "VERSION_VERDICT_UNKNOWN",
] as const;

/** Whether one version of the artifact is affected, and the range that decides it. */
export const installedVersion = z.looseObject({
  version: answered(),
  verdict: z.optional(answeredEnum(VERSION_VERDICTS)),
  range: z.optional(affectedRange),
  /** The package of an image; absent for a version that the request named. */
  packageName: answered(),
  /** What that package is built from, where its name is another: `openssl` of `libssl3`. */
  packageOrigin: answered(),
  architecture: answered(),
  /** The advisory that decides, where a row is about several. */
  advisoryUid: answered(),
});
export type InstalledVersion = z.infer<typeof installedVersion>;

/** How likely a vulnerability is to be exploited: EPSS (https://www.first.org/epss/), and CISA's list of those that are. */
const exploitation = z.looseObject({
  /** A probability, as decimal text: "0.00043". */
  epss: answered(),
  epssPercentile: answered(),
  epssDate: answered(),
  /** The day on which CISA listed it, and the day by which it asks to act: "2026-11-23". */
  knownExploitedSince: answered(),
  actionDue: answered(),
  requiredAction: answered(),
  usedByRansomware: z.optional(z.boolean()),
});
export type Exploitation = z.infer<typeof exploitation>;

const TAG = "must be the uid of a tag";
const PROBABILITY = "must be a number from 0 to 1";

/** Vulnerabilities in artifacts, with history. The API reads them; `platform-console ingest` writes them. */
export const advisories = resource({
  kind: KINDS.advisories,
  settable: {},
  output: {
    advisoryId: answered(),
    deleteTime: answered(),
    author: answered(),
    artifactName: answered(),
    artifactType: answered(),
    artifactArchitecture: answered(),
    componentName: answered(),
    componentLocation: answered(),
    componentType: answered(),
    aliases: z.optional(z.array(z.string())),
    events: z.optional(z.array(advisoryEvent)),
    legacyAdvisoryId: answered(),
    severities: z.optional(z.array(severity)),
    /**
     * Where it holds, if not everywhere: a release of a distribution (`Debian:12`, `Wolfi`), an image (`sha256:...`), or
     * a version of the artifact. An addition of this service to the published fields.
     */
    appliesTo: answered(),
    /** Further additions: of `version` and `tagUid` below, and of EPSS and KEV. */
    installedVersions: z.optional(z.array(installedVersion)),
    exploitation: z.optional(exploitation),
  },
  filters: {
    advisoryIds: texts(),
    legacyAdvisoryIds: texts(),
    artifactNames: texts(),
    artifactTypes: texts(),
    artifactArchitectures: texts(),
    componentNames: texts(),
    componentTypes: texts(),
    componentLocations: texts(),
    aliases: texts(),
    origin: z.optional(text({ bytes: NAME_BYTES })),
    eventReviewStates: several(openEnum(REVIEW_STATES)),
    eventAuthors: texts(),
    excludeEventAuthors: texts(),
    eventReviewers: texts(),
    eventTypes: several(openEnum(EVENT_TYPE_FILTERS)),
    latestEventType: z.optional(openEnum(EVENT_TYPE_FILTERS)),
    /** Additions of this service: values of the field of that name, and withdrawn advisories too (AIP-164). */
    appliesTo: texts(),
    showDeleted: z.optional(z.boolean("must be true or false")),
    /** Decides for this version of each artifact whether it is affected; filters nothing. */
    version: z.optional(text({ bytes: NAME_BYTES })),
    /** The advisories about packages of the image that this tag names, each decided for the versions in it. */
    tagUid: z.optional(text({ bytes: NAME_BYTES, pattern: UID_PATTERN, sentence: TAG })),
    knownExploited: z.optional(z.boolean("must be true or false")),
    minEpss: z.optional(
      text({ bytes: NAME_BYTES, pattern: /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, sentence: PROBABILITY }),
    ),
    query: z.optional(text({ bytes: NAME_BYTES })),
  },
  /** Of `tagUid`: which packages the answer is about. */
  beside: { imagePackages: z.optional(imagePackages) },
  // The name of an advisory is the name of its artifact. By severity: the rating by the newest CVSS version, then its score
  // (rating.ts); by `latest_event_time`: of the newest approved event. Without one, an advisory comes last in both directions.
  sortable: [
    "uid",
    "name",
    "advisory_id",
    "component_name",
    "created_at",
    "updated_at",
    "severity",
    "latest_event_time",
  ],
});

export type Advisory = ItemOf<typeof advisories>;
export type AdvisoryFilters = Omit<NonNullable<(typeof advisories.list)["types"]>["query"], keyof ListQuery>;
