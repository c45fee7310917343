import * as z from "zod/mini";

import { answeredEnum, withFormat } from "../schema";

export const REVIEW_STATES = [
  "REVIEW_STATE_UNSPECIFIED",
  "REVIEW_STATE_PENDING",
  "REVIEW_STATE_APPROVED",
  "REVIEW_STATE_REQUEST_CHANGES",
  "REVIEW_STATE_REJECTED",
] as const;

export const FALSE_POSITIVE_TYPES = [
  "TYPE_UNSPECIFIED",
  "TYPE_VULNERABILITY_RECORD_ANALYSIS_CONTESTED",
  "TYPE_COMPONENT_VULNERABILITY_MISMATCH",
  "TYPE_VULNERABLE_CODE_VERSION_NOT_USED",
  "TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE",
  "TYPE_VULNERABLE_CODE_NOT_IN_EXECUTION_PATH",
  "TYPE_VULNERABLE_CODE_CANNOT_BE_CONTROLLED_BY_ADVERSARY",
  "TYPE_INLINE_MITIGATIONS_EXIST",
] as const;

/** The types of an event, by the key that holds its data, with the value that filters use. */
export const EVENT_TYPES = {
  detection: "EVENT_TYPE_FILTER_DETECTION",
  truePositiveDetermination: "EVENT_TYPE_FILTER_TRUE_POSITIVE_DETERMINATION",
  fixed: "EVENT_TYPE_FILTER_FIXED",
  falsePositiveDetermination: "EVENT_TYPE_FILTER_FALSE_POSITIVE_DETERMINATION",
  analysisNotPlanned: "EVENT_TYPE_FILTER_ANALYSIS_NOT_PLANNED",
  fixNotPlanned: "EVENT_TYPE_FILTER_FIX_NOT_PLANNED",
  pendingUpstreamFix: "EVENT_TYPE_FILTER_PENDING_UPSTREAM_FIX",
  patched: "EVENT_TYPE_FILTER_PATCHED",
} as const;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_TYPE_FILTERS = ["EVENT_TYPE_FILTER_UNSPECIFIED", ...Object.values(EVENT_TYPES)] as const;

const answered = () => z.optional(z.string());

const note = z.looseObject({ note: answered() });
const falsePositive = z.looseObject({
  type: z.optional(answeredEnum(FALSE_POSITIVE_TYPES)),
  note: answered(),
});
const fixed = z.looseObject({
  fixedVersion: answered(),
  note: answered(),
  scannerVersion: answered(),
  grypeDbBuilt: answered(),
  grypeDbChecksum: answered(),
});
const patched = z.looseObject({ patchedVersions: z.optional(z.array(z.string())), note: answered() });

const scan = {
  scanner: answered(),
  componentId: answered(),
  componentVersion: answered(),
  componentType: answered(),
  componentLocation: answered(),
  artifactVersion: answered(),
  scannerVersion: answered(),
  grypeDbBuilt: answered(),
  grypeDbChecksum: answered(),
};

const detection = <T extends z.ZodMiniType>(scanned: T) =>
  z.looseObject({
    nvdapi: z.optional(z.looseObject({ cpeSearched: answered(), cpeFound: answered() })),
    manual: z.optional(z.looseObject({})),
    scanv1: z.optional(scanned),
  });

/**
 * A range of affected versions in the order of the package's ecosystem: from `introduced` (absent: from the first) to
 * before `fixed`, or up to and including `lastAffected`; open-ended without either. `limit` bounds a range without a fix.
 * https://ossf.github.io/osv-schema/#affectedrangesevents-fields
 */
export const affectedRange = z.looseObject({
  introduced: answered(),
  fixed: answered(),
  lastAffected: answered(),
  limit: answered(),
});

/**
 * What this service adds to the published events: the source record that states it, and for which versions. Other
 * services leave these out.
 */
const statement = {
  sourceId: answered(),
  sourceUrl: answered(),
  /** When the source withdrew its record: the event no longer counts. */
  withdrawTime: answered(),
  withdrawReason: answered(),
  affectedRanges: z.optional(z.array(affectedRange)),
  /** Exactly these versions are affected, beside the ranges. */
  affectedVersions: z.optional(z.array(z.string())),
};

/** An event has one of these keys, in documents and advisories alike. */
const judgements = {
  truePositiveDetermination: z.optional(note),
  falsePositiveDetermination: z.optional(falsePositive),
  fixed: z.optional(fixed),
  analysisNotPlanned: z.optional(note),
  fixNotPlanned: z.optional(note),
  pendingUpstreamFix: z.optional(note),
};

/** One step in the history of an advisory. */
export const advisoryEvent = z.looseObject({
  uid: z.string(),
  createTime: answered(),
  /** Base64 of a JSON document. */
  findings: z.optional(withFormat("bytes", z.string())),
  author: answered(),
  reviewer: answered(),
  reviewState: z.optional(answeredEnum(REVIEW_STATES)),
  issue: answered(),
  detection: z.optional(detection(z.looseObject({ ...scan, subpackage: answered(), component: answered() }))),
  ...judgements,
  patched: z.optional(patched),
  ...statement,
});

/** The same step in a document, where a scan names the component under other keys. */
export const documentEvent = z.looseObject({
  timestamp: z.optional(withFormat("timestamp", z.string())),
  detection: z.optional(
    detection(z.looseObject({ ...scan, subpackageName: answered(), componentName: answered() })),
  ),
  ...judgements,
});

export type AffectedRange = z.infer<typeof affectedRange>;
export type AdvisoryEvent = z.infer<typeof advisoryEvent>;
export type DocumentEvent = z.infer<typeof documentEvent>;

/** The type of an event, by its key; undefined if it has none that this version knows. */
export const eventTypeOf = (event: Readonly<Record<string, unknown>>): EventType | undefined =>
  (Object.keys(EVENT_TYPES) as EventType[]).find((type) => event[type] !== undefined);

/**
 * The newest of some events: by time, then by place, which is their order in the list. Events of withdrawn records do
 * not count.
 * @param approved counts only events that a reviewer approved, since only those decide an advisory's status
 */
export function newestEvent<E extends AdvisoryEvent>(events: readonly E[], approved = true): E | undefined {
  let newest: E | undefined;
  for (const event of events) {
    if (event.withdrawTime !== undefined || (approved && event.reviewState !== "REVIEW_STATE_APPROVED"))
      continue;
    if ((event.createTime ?? "") >= (newest?.createTime ?? "")) newest = event;
  }
  return newest;
}
