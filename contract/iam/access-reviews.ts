import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { listEndpoint, reference } from "../resource";
import { openEnum, text, timestamp } from "../schema";

/** Role bindings of one review. */
export const MOST_REVIEWED = 10_000;
/** Reviews of one organization, closed ones too. */
export const MOST_REVIEWS = 200;
/** Days within which a review is due. */
export const DUE_DAYS = 366;
/** Changes that one call applies: the caller calls again for the rest. */
export const APPLIED_AT_ONCE = 20;
/** Months after which a quarterly review starts again. */
export const QUARTER_MONTHS = 3;
export const MOST_NOTE_CHARACTERS = 400;
const MOST_REVIEWERS = 20;

export const REVIEW_STATES = ["REVIEW_STATE_OPEN", "REVIEW_STATE_APPLYING", "REVIEW_STATE_CLOSED"] as const;
export const REVIEW_REPETITIONS = ["REVIEW_REPETITION_NONE", "REVIEW_REPETITION_QUARTERLY"] as const;
export const REVIEWER_RULES = ["REVIEWER_RULE_FOLDER_OWNERS", "REVIEWER_RULE_NAMED"] as const;
export const REVIEW_DECISIONS = [
  "REVIEW_DECISION_KEEP",
  "REVIEW_DECISION_REDUCE",
  "REVIEW_DECISION_REVOKE",
] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];
/** What became of a decided change. */
export const REVIEW_RESULTS = [
  "REVIEW_RESULT_APPLIED",
  "REVIEW_RESULT_REFUSED",
  "REVIEW_RESULT_GONE",
  "REVIEW_RESULT_CHANGED",
] as const;
export type ReviewResult = (typeof REVIEW_RESULTS)[number];
/** What asks for attention. */
export const REVIEW_FINDINGS = [
  "REVIEW_FINDING_NEVER_SEEN",
  "REVIEW_FINDING_NOT_USED",
  "REVIEW_FINDING_COVERED",
  "REVIEW_FINDING_STRONG_MACHINE",
  "REVIEW_FINDING_NO_EFFECT",
] as const;
export type ReviewFinding = (typeof REVIEW_FINDINGS)[number];

const READS = ["CAP_IAM_ROLE_BINDINGS_LIST"] as const;
/** What deciding, applying and closing take, as removing a role binding that one sees does. */
export const REVIEWS = ["CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLE_BINDINGS_DELETE"] as const;

const reviewer = z.looseObject({
  uid: z.string(),
  name: z.optional(z.string()),
  /** Role bindings that they are asked about. */
  askedCount: z.optional(z.number()),
  /** Of those, how many are decided, by whomever. */
  decidedCount: z.optional(z.number()),
});

const settings = {
  title: text({ pattern: /^(?=.*\S).{1,200}$/su, sentence: "must be 1 to 200 characters long" }),
  dueTime: timestamp(),
  /** It starts again three months after it started, while its maker can still make it. */
  repetition: z.optional(openEnum(REVIEW_REPETITIONS)),
};

const review = z.looseObject({
  uid: z.string(),
  groupUid: z.optional(z.string()),
  groupName: z.optional(z.string()),
  title: z.optional(z.string()),
  reviewState: z.optional(z.string()),
  dueTime: z.optional(timestamp()),
  repetition: z.optional(z.string()),
  reviewerRule: z.optional(z.string()),
  reviewerUids: z.optional(z.array(z.string())),
  asksMachineOwners: z.optional(z.boolean()),
  makerUid: z.optional(z.string()),
  makerName: z.optional(z.string()),
  createTime: z.optional(timestamp()),
  /** When the next one starts by itself. */
  nextTime: z.optional(timestamp()),
  /** Why the next one did not start. */
  notRepeated: z.optional(z.string()),
  closeTime: z.optional(timestamp()),
  closedByName: z.optional(z.string()),
  /** Of the report, once it is closed. */
  digest: z.optional(z.string()),
  itemCount: z.optional(z.number()),
  inheritedCount: z.optional(z.number()),
  /** True if not all role bindings from further up are listed: its maker cannot see them, or there are too many. */
  inheritedIncomplete: z.optional(z.boolean()),
  decidedCount: z.optional(z.number()),
  /** Decided changes: to reduce or to revoke. */
  changeCount: z.optional(z.number()),
  /** Changes that wait to be applied. */
  pendingCount: z.optional(z.number()),
  refusedCount: z.optional(z.number()),
  /** Undecided role bindings that the caller is asked about. */
  waitingCount: z.optional(z.number()),
  /** Of one review, not in lists: who is asked, and how far they are. */
  reviewers: z.optional(z.array(reviewer)),
});
export type AccessReview = z.infer<typeof review>;

/**
 * An extension: reviews of every role binding of a group and what is below it. Shown to whoever can list role bindings of
 * some of it, and to the owners of machines in it.
 */
export const listAccessReviews = listEndpoint({
  collection: "accessReviews",
  path: "/access/v1/reviews",
  access: { at: "visible", needs: READS },
  row: review,
  filters: {
    /** Only those with something undecided that the caller is asked about. */
    waiting: z.optional(z.boolean("must be true or false")),
  },
  sortable: ["created_at", "due_time", "uid"],
  summary: "List access reviews",
});

export const getAccessReview = endpoint({
  collection: "accessReviews",
  verb: "get",
  method: "GET",
  path: "/access/v1/reviews/{uid}",
  access: {
    at: "handler",
    needs: READS,
    because: "The owner of a machine whose roles are reviewed can see the review as well.",
  },
  answer: review,
  summary: "Get one access review",
});

/** Takes every role binding of the group and below as it is now, with evidence, and asks its reviewers. */
export const createAccessReview = endpoint({
  collection: "accessReviews",
  verb: "create",
  method: "POST",
  path: "/access/v1/reviews/{parent}",
  access: { at: "parent", needs: REVIEWS },
  body: z.object({
    ...settings,
    reviewerRule: openEnum(REVIEWER_RULES),
    /** With REVIEWER_RULE_NAMED: people who can list and delete role bindings of the group. */
    reviewerUids: z.optional(
      z
        .array(reference("must be the uid of a person"), "must be a list")
        .check(z.maxLength(MOST_REVIEWERS, `must have at most ${MOST_REVIEWERS} entries`)),
    ),
    /** Ask the owner of a machine about its roles instead, if it has one. */
    asksMachineOwners: z.optional(z.boolean("must be true or false")),
  }),
  answer: review,
  summary: "Start an access review of a group",
});

/** Replaces those that are given. */
export const updateAccessReview = endpoint({
  collection: "accessReviews",
  verb: "update",
  method: "PATCH",
  path: "/access/v1/reviews/{uid}",
  access: { at: "uid", needs: REVIEWS },
  body: z.object({ ...settings, title: z.optional(settings.title), dueTime: z.optional(settings.dueTime) }),
  answer: review,
  summary: "Set title, due time and repetition of an access review",
});

export const deleteAccessReview = endpoint({
  collection: "accessReviews",
  verb: "delete",
  method: "DELETE",
  path: "/access/v1/reviews/{uid}",
  access: { at: "uid", needs: REVIEWS },
  summary: "Delete an access review",
});

/**
 * Applies up to 20 decided changes with the rights of the caller, each once, and says how many are left: call it again
 * until none is. Nothing can be decided any more from the first call on.
 */
export const applyAccessReview = endpoint({
  collection: "accessReviews",
  verb: "apply",
  refusesValidateOnly: true,
  method: "POST",
  path: "/access/v1/reviews/{uid}:apply",
  access: { at: "uid", needs: REVIEWS },
  body: z.object({
    /** Also try again what was refused. */
    retriesRefused: z.optional(z.boolean("must be true or false")),
  }),
  answer: review,
  summary: "Apply the decisions of an access review",
});

/** Ends a review, whatever is undecided or not applied, and signs its report. */
export const closeAccessReview = endpoint({
  collection: "accessReviews",
  verb: "close",
  method: "POST",
  path: "/access/v1/reviews/{uid}:close",
  access: { at: "uid", needs: REVIEWS },
  body: z.object({}),
  answer: review,
  summary: "Close an access review and sign its report",
});

/** The report of a closed review; it needs the access at every group whose role bindings it lists. */
export const getAccessReviewReport = endpoint({
  collection: "accessReviews",
  verb: "getReport",
  method: "GET",
  path: "/access/v1/reviews/{uid}:report",
  access: { at: "uid", needs: READS },
  answer: z.looseObject({
    /** Canonical JSON (RFC 8785): the bytes that are signed. */
    report: z.optional(z.string()),
    /** `sha256:` and 64 hex digits. */
    digest: z.optional(z.string()),
    /** A JWS in compact form (RFC 7515): docs/signatures.md. */
    signature: z.optional(z.string()),
  }),
  summary: "Get the signed report of a closed access review",
});

const item = z.looseObject({
  uid: z.string(),
  bindingUid: z.optional(z.string()),
  groupUid: z.optional(z.string()),
  groupName: z.optional(z.string()),
  identityUid: z.optional(z.string()),
  identityName: z.optional(z.string()),
  machine: z.optional(z.boolean()),
  roleUid: z.optional(z.string()),
  roleName: z.optional(z.string()),
  /** Granted further up: it counts here, and is decided where it was granted. */
  inherited: z.optional(z.boolean()),
  /** When the role binding ends, as it was when the review started. */
  expirationTime: z.optional(timestamp()),
  grantTime: z.optional(timestamp()),
  /** Only for callers who can read the audit log there. */
  grantedByName: z.optional(z.string()),
  grantReason: z.optional(z.string()),
  /** When the identity last signed in, as of the start; missing: never. */
  lastSeenTime: z.optional(timestamp()),
  /** Since when use is counted; missing if it is not. */
  usedSinceTime: z.optional(timestamp()),
  lastUseTime: z.optional(timestamp()),
  usedCount: z.optional(z.number()),
  capabilityCount: z.optional(z.number()),
  /** A role further up, or here, that allows as much, for callers who see it: "owner in Acme". */
  coveredBy: z.optional(z.string()),
  findings: z.optional(z.array(z.string())),
  reviewers: z.optional(z.array(reviewer)),
  decision: z.optional(z.string()),
  toRoleUid: z.optional(z.string()),
  toRoleName: z.optional(z.string()),
  note: z.optional(z.string()),
  decidedBy: z.optional(z.string()),
  decidedByName: z.optional(z.string()),
  decideTime: z.optional(timestamp()),
  result: z.optional(z.string()),
  /** Why it was refused, or what else became of it. */
  resultMessage: z.optional(z.string()),
  applyTime: z.optional(timestamp()),
  /** Changes with every decision; a decision names the one that it was made on. */
  etag: z.optional(z.string()),
  /** Why the caller cannot decide it; missing if they can. */
  refusal: z.optional(z.string()),
});
export type AccessReviewItem = z.infer<typeof item>;

/** The role bindings of one review that the caller can see, in the order of the review. */
export const listAccessReviewItems = listEndpoint({
  collection: "accessReviewItems",
  path: "/access/v1/reviewItems",
  access: { at: "visible", needs: READS },
  row: item,
  filters: {
    review: reference("must be the uid of an access review"),
    /** Only those that the caller is asked about. */
    asked: z.optional(z.boolean("must be true or false")),
  },
  sortable: ["uid"],
  takes: "pages",
  summary: "List the role bindings of an access review",
});

/**
 * Decides about one role binding, or takes the decision back if there is none. ABORTED if somebody else has decided since
 * the caller read it. Nobody decides about their own access.
 */
export const decideAccessReviewItem = endpoint({
  collection: "accessReviewItems",
  verb: "decide",
  method: "POST",
  path: "/access/v1/reviewItems/{uid}:decide",
  access: {
    at: "handler",
    needs: REVIEWS,
    because:
      "The place is the folder of the role binding; the owner of a machine decides about its roles as well.",
  },
  body: z.object({
    etag: text({ characters: [1, 20], sentence: "must be the etag of what the decision is about" }),
    decision: z.optional(openEnum(REVIEW_DECISIONS)),
    /** With REVIEW_DECISION_REDUCE: a role that allows less. */
    toRoleUid: z.optional(reference("must be the uid of a role")),
    note: z.optional(
      text({
        pattern: new RegExp(`^[^\\p{Cc}\\u2028\\u2029]{0,${MOST_NOTE_CHARACTERS}}$`, "u"),
        sentence: `must be at most ${MOST_NOTE_CHARACTERS} characters long, on one line`,
      }),
    ),
  }),
  answer: item,
  summary: "Decide about a role binding of an access review",
});
