import * as z from "zod/mini";

import { UID_PATTERN } from "../aip";
import { endpoint } from "../endpoint";
import { listEndpoint } from "../resource";
import { answeredEnum, openEnum, text, timestamp } from "../schema";
import type { FieldViolation } from "../status";

/** What the newest are kept of: `1.27.x`, `1.x`, or all versions of one variant. */
export const RETENTION_LINES = [
  "RETENTION_LINE_MINOR",
  "RETENTION_LINE_MAJOR",
  "RETENTION_LINE_VARIANT",
] as const;

/** Kinds of names that a rule leaves alone unless it names them. */
export const RETENTION_NAMES = [
  "RETENTION_NAMES_DATES",
  "RETENTION_NAMES_EPOCHS",
  "RETENTION_NAMES_REFERRERS",
] as const;

export const RETENTION_STATES = [
  /** Waits until somebody confirms a preview of it. */
  "RETENTION_STATE_UNCONFIRMED",
  /** Runs once a day. */
  "RETENTION_STATE_RUNNING",
  /** Somebody stopped it, or the service did: it says why. */
  "RETENTION_STATE_OFF",
] as const;
export type RetentionState = (typeof RETENTION_STATES)[number];

/** Days for which what a run deleted can be restored, counted from each deletion. */
export const UNDO_DAYS = 7;
/** Days for which the reports of runs are kept. */
export const REPORT_DAYS = 90;
/** Days for which the pull of an image protects its tags, unless a rule says another number. */
export const PULL_DAYS = 30;
/** Tags that one preview reads, and tags of one repo that a run reads. */
export const MOST_TAGS = 50_000;
/** Tags that one request restores. */
export const MOST_RESTORED = 100;

const MOST_DAYS = 3_650;
const MOST_KEPT = 1_000;
const MOST_PATTERNS = 20;
const PATTERN = /^(?=.{1,128}$)[^*,]*(?:\*[^*,]*){0,10}$/u;

const whole = (most: number, what: string) =>
  z.optional(
    z
      .int(`must be a whole number of ${what}`)
      .check(z.minimum(1, "must be 1 or more"), z.maximum(most, `must be at most ${most}`)),
  );
const patterns = () =>
  z.optional(
    z
      .array(
        text({
          pattern: PATTERN,
          sentence: "must be 1 to 128 characters without commas: * stands for any text, up to 10 of them",
        }),
        "must be a list",
      )
      .check(z.maxLength(MOST_PATTERNS, `must have at most ${MOST_PATTERNS} entries`)),
  );

/** Which tags a rule deletes: those that meet every value that is set. */
const values = {
  /** Only names that match one of these; * stands for any text. */
  namePatterns: patterns(),
  /** Names that stay whatever else is set. */
  exemptPatterns: patterns(),
  /** Not updated for so many days. */
  olderThanDays: whole(MOST_DAYS, "days"),
  /** Not pulled for so many days; needs a registry whose pulls the service counts. */
  notPulledDays: whole(MOST_DAYS, "days"),
  /** Requests without a download don't count as pulls. */
  downloadsOnly: z.optional(z.boolean("must be true or false")),
  deprecatedOnly: z.optional(z.boolean("must be true or false")),
  /** The newest of each line stay. */
  keepNewest: whole(MOST_KEPT, "tags"),
  keepNewestOf: z.optional(openEnum(RETENTION_LINES)),
  includedNames: z.optional(
    z
      .array(openEnum(RETENTION_NAMES), "must be a list")
      .check(z.maxLength(RETENTION_NAMES.length, `must have at most ${RETENTION_NAMES.length} entries`)),
  ),
};
const valuesShape = z.object(values);
export type RetentionValues = z.infer<typeof valuesShape>;

/** What is wrong with the values together: without any, a rule would delete every tag. */
export function retentionProblems(given: Readonly<Record<string, unknown>>): FieldViolation[] {
  const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  const deciding = ["namePatterns", "olderThanDays", "notPulledDays", "deprecatedOnly", "keepNewest"];
  return deciding.some((field) => isSet(given[field]))
    ? []
    : [
        {
          field: "namePatterns",
          description: `one of ${deciding.join(", ")} is required: without any, every tag would be deleted`,
        },
      ];
}

const count = () => z.optional(z.number());

const rule = z.looseObject({
  /** Of the group or repo that it is set for: there is one for each at most. */
  uid: z.string(),
  placeName: z.optional(z.string()),
  /** True if it is set for a repo. */
  isRepo: z.optional(z.boolean()),
  ...values,
  keepNewestOf: z.optional(answeredEnum(RETENTION_LINES)),
  includedNames: z.optional(z.array(z.string())),
  /** In words. */
  sentence: z.optional(z.string()),
  state: z.optional(answeredEnum(RETENTION_STATES)),
  /** Grows with each change. */
  version: count(),
  /** The identity that set it last. */
  setBy: z.optional(z.string()),
  setByName: z.optional(z.string()),
  setTime: z.optional(timestamp()),
  /** Who confirmed the preview of this version, when, and what it said; missing until somebody does. */
  confirmedBy: z.optional(z.string()),
  confirmedByName: z.optional(z.string()),
  confirmTime: z.optional(timestamp()),
  confirmedDeletions: count(),
  /** Why the service stopped it. */
  stopReason: z.optional(z.string()),
  /** When it last began to run, and what that run deleted, once it is over. */
  lastRunTime: z.optional(timestamp()),
  lastRunDeletions: count(),
  updateTime: z.optional(timestamp()),
});
export type RetentionRule = z.infer<typeof rule>;

const READS = ["CAP_TAG_LIST"] as const;
const CHANGES = ["CAP_TAG_DELETE"] as const;
const BASE = "/registry-retention/v1";

/** An extension: rules by which the service deletes tags once a day. The nearest rule of a repo decides alone: its own, or its folder's, or that of a folder above. */
export const listRetentionRules = listEndpoint({
  collection: "retentionRules",
  path: `${BASE}/rules`,
  access: { at: "visible", needs: READS },
  row: rule,
  filters: { state: z.optional(openEnum(RETENTION_STATES)) },
  sortable: ["uid", "updated_at"],
  summary: "List the retention rules",
});

/** The rule that decides at a group or repo, if there is one: its own, or the nearest above. Without names of people for who cannot list tags where it is set. */
export const getRetentionRule = endpoint({
  collection: "retentionRules",
  verb: "effective",
  method: "GET",
  path: `${BASE}/effectiveRules/{uid}`,
  access: { at: "uid", needs: READS },
  answer: z.looseObject({ rule: z.optional(rule) }),
  summary: "Get the retention rule that decides at a group or repo",
});

const version = () => z.optional(z.int("must be a whole number").check(z.minimum(1, "must be 1 or more")));

/** Replaces all values, and stops what ran: the rule runs once somebody confirms a preview of the new version. */
export const setRetentionRule = endpoint({
  collection: "retentionRules",
  verb: "set",
  method: "POST",
  path: `${BASE}/rules/{uid}`,
  access: { at: "uid", needs: CHANGES },
  body: z.object({
    ...values,
    /** The version that this replaces: ABORTED if it is another one by now. Missing: whatever is there. */
    version: version(),
  }),
  answer: rule,
  summary: "Set the retention rule of a group or repo",
});

/** Reports of its runs stay. */
export const deleteRetentionRule = endpoint({
  collection: "retentionRules",
  verb: "delete",
  method: "DELETE",
  path: `${BASE}/rules/{uid}`,
  access: { at: "uid", needs: CHANGES },
  summary: "Delete the retention rule of a group or repo",
});

/** The rule runs at once, then once a day. Refused unless the preview is the caller's own, of today (UTC) and of this version. */
export const confirmRetentionRule = endpoint({
  collection: "retentionRules",
  verb: "confirm",
  method: "POST",
  path: `${BASE}/rules/{uid}:confirm`,
  access: { at: "uid", needs: CHANGES },
  body: z.object({
    /** As the preview answered it. */
    previewToken: text({ characters: [1, 2_000], sentence: "must be the token of a preview" }),
    version: z.int("must be a whole number").check(z.minimum(1, "must be 1 or more")),
  }),
  answer: rule,
  summary: "Confirm a preview, so that a retention rule runs",
});

/** A run in progress ends after the tags that it is deleting. */
export const stopRetentionRule = endpoint({
  collection: "retentionRules",
  verb: "stop",
  method: "POST",
  path: `${BASE}/rules/{uid}:stop`,
  access: { at: "uid", needs: CHANGES },
  body: z.object({}),
  answer: rule,
  summary: "Stop a retention rule",
});

const decision = z.looseObject({
  /** Of the tag. */
  uid: z.string(),
  name: z.optional(z.string()),
  repoUid: z.optional(z.string()),
  repoName: z.optional(z.string()),
  digest: z.optional(z.string()),
  updateTime: z.optional(timestamp()),
  deleted: z.optional(z.boolean()),
  /** Why it would be deleted, or stays. */
  why: z.optional(z.string()),
});
export type RetentionDecision = z.infer<typeof decision>;

/** What a run would do now, as the service decides it. The first page counts, and has the token that a confirmation needs. */
export const previewRetention = listEndpoint({
  collection: "retentionDecisions",
  path: `${BASE}/rules/{uid}/decisions`,
  access: { at: "uid", needs: ["CAP_TAG_LIST", "CAP_REPO_LIST"] },
  row: decision,
  filters: {
    /** Only those that would be deleted, or only those that stay. */
    deleted: z.optional(z.boolean("must be true or false")),
  },
  beside: {
    previewToken: z.optional(z.string()),
    version: count(),
    deletions: count(),
    kept: count(),
    repos: count(),
    /** Images that would keep no tag. */
    unnamedImages: count(),
    /** How many tags each reason is of, the most common first. */
    reasons: z.optional(z.array(z.looseObject({ reason: z.string(), tagCount: z.number() }))),
  },
  takes: "pages",
  summary: "Preview what a retention rule would delete",
});

const run = z.looseObject({
  uid: z.string(),
  /** The group or repo of the rule. */
  placeUid: z.optional(z.string()),
  placeName: z.optional(z.string()),
  /** The rule as it was then. */
  sentence: z.optional(z.string()),
  version: count(),
  confirmedBy: z.optional(z.string()),
  confirmedByName: z.optional(z.string()),
  startTime: z.optional(timestamp()),
  /** Missing while it runs. */
  endTime: z.optional(timestamp()),
  repos: count(),
  deletions: count(),
  kept: count(),
  failures: count(),
  restored: count(),
  /** Why it ended early. */
  stopReason: z.optional(z.string()),
  /** Until when its last deletion can be restored. */
  undoEndTime: z.optional(timestamp()),
});
export type RetentionRun = z.infer<typeof run>;

export const listRetentionRuns = listEndpoint({
  collection: "retentionRuns",
  path: `${BASE}/runs`,
  access: { at: "visible", needs: READS },
  row: run,
  filters: {},
  sortable: ["uid", "created_at"],
  summary: "List the runs of retention rules",
});

export const DELETION_STATES = [
  "RETENTION_DELETION_STATE_DELETED",
  "RETENTION_DELETION_STATE_FAILED",
  "RETENTION_DELETION_STATE_RESTORED",
] as const;

const deletion = z.looseObject({
  uid: z.string(),
  tagUid: z.optional(z.string()),
  name: z.optional(z.string()),
  repoUid: z.optional(z.string()),
  repoName: z.optional(z.string()),
  digest: z.optional(z.string()),
  why: z.optional(z.string()),
  state: z.optional(answeredEnum(DELETION_STATES)),
  /** What went wrong. */
  failure: z.optional(z.string()),
  createTime: z.optional(timestamp()),
  /** Until when it can be restored. */
  undoEndTime: z.optional(timestamp()),
  restoredBy: z.optional(z.string()),
  restoredByName: z.optional(z.string()),
  restoreTime: z.optional(timestamp()),
});
export type RetentionDeletion = z.infer<typeof deletion>;

export const listRetentionDeletions = listEndpoint({
  collection: "retentionDeletions",
  path: `${BASE}/runs/{uid}/deletions`,
  access: { at: "uid", needs: READS },
  row: deletion,
  filters: { state: z.optional(openEnum(DELETION_STATES)) },
  takes: "pages",
  sortable: ["uid", "name", "created_at"],
  summary: "List what a run of a retention rule deleted",
});

const outcome = z.looseObject({
  uid: z.string(),
  name: z.optional(z.string()),
  repoName: z.optional(z.string()),
  /** True if the tag is there again, or would be. */
  restored: z.optional(z.boolean()),
  /** Why it cannot be restored. */
  refusal: z.optional(z.string()),
});
export type RestoreOutcome = z.infer<typeof outcome>;

/**
 * Creates tags of a run again, as they were, under new uids. The rule leaves a restored tag alone as long as the report is
 * kept and the tag names the same image.
 */
export const restoreRetentionRun = endpoint({
  collection: "retentionRuns",
  verb: "restore",
  withoutValidateOnly: true,
  method: "POST",
  path: `${BASE}/runs/{uid}:restore`,
  access: { at: "uid", needs: ["CAP_TAG_CREATE"] },
  body: z.object({
    /** Uids of deletions of this run. */
    deletionUids: z
      .array(z.string("must be a uid").check(z.regex(UID_PATTERN, "must be a uid")), "must be a list")
      .check(
        z.minLength(1, "must have at least one entry"),
        z.maxLength(MOST_RESTORED, `must have at most ${MOST_RESTORED} entries`),
      ),
    /** Only says what would happen, and whether the registry still has each image. */
    validateOnly: z.optional(z.boolean("must be true or false")),
  }),
  answer: z.looseObject({ outcomes: z.optional(z.array(outcome)) }),
  summary: "Restore tags that a run of a retention rule deleted",
});
