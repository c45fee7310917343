import type {
  AccessReview,
  AccessReviewItem,
  ReviewDecision,
  ReviewFinding,
  ReviewResult,
} from "platform-contract/iam/access-reviews";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { formatQuantity } from "~/ui/display/numbers";
import { readTime } from "~/ui/display/time-text";

const FINDINGS: Readonly<Record<ReviewFinding, string>> = {
  REVIEW_FINDING_NEVER_SEEN: "Never seen",
  REVIEW_FINDING_NOT_USED: "Not used",
  REVIEW_FINDING_COVERED: "Inherited twice",
  REVIEW_FINDING_STRONG_MACHINE: "Machine with a strong role",
  REVIEW_FINDING_NO_EFFECT: "No effect here",
};

const wordOf = (words: Readonly<Record<string, string>>, value: string): string => words[value] ?? value;

/** What asks for attention, in a few words each. */
export const flagsOf = ({ findings = [] }: AccessReviewItem): string[] =>
  findings.map((finding) => wordOf(FINDINGS, finding));

const DECISIONS: Readonly<Record<ReviewDecision, string>> = {
  REVIEW_DECISION_KEEP: "Keep",
  REVIEW_DECISION_REDUCE: "Reduce",
  REVIEW_DECISION_REVOKE: "Revoke",
};

export const decisionWords = ({ decision = "", roleName = "", toRoleName = "" }: AccessReviewItem): string =>
  decision === ""
    ? "Not decided"
    : decision === "REVIEW_DECISION_REDUCE"
      ? `Reduce ${roleName} to ${toRoleName}`
      : wordOf(DECISIONS, decision);

const RESULTS: Readonly<Record<ReviewResult, string>> = {
  REVIEW_RESULT_APPLIED: "Applied",
  REVIEW_RESULT_REFUSED: "Refused",
  REVIEW_RESULT_GONE: "Removed by somebody else",
  REVIEW_RESULT_CHANGED: "Changed meanwhile, left as it is",
};

export const isChange = ({ decision }: AccessReviewItem): boolean =>
  decision === "REVIEW_DECISION_REDUCE" || decision === "REVIEW_DECISION_REVOKE";

/** What became of an item; "" for one that stays as it is. */
export const resultWords = (item: AccessReviewItem): string =>
  item.result ? wordOf(RESULTS, item.result) : isChange(item) ? "Not applied" : "";

const STATES: Readonly<Record<string, string>> = {
  REVIEW_STATE_OPEN: "Open",
  REVIEW_STATE_APPLYING: "Deciding is over",
  REVIEW_STATE_CLOSED: "Closed",
};
export const stateWords = ({ reviewState = "" }: AccessReview): string => wordOf(STATES, reviewState);

/** In UTC whatever the reader prefers. */
const timeWords = (text: string | undefined): string => {
  const time = readTime(text);
  return time ? `${time.toISOString().slice(0, 19).replace("T", " ")} UTC` : "";
};

export function usedWords({
  usedSinceTime,
  usedCount = 0,
  capabilityCount = 0,
  lastUseTime,
}: AccessReviewItem): string {
  if (usedSinceTime === undefined) return "Unknown: this service doesn't count use";
  const since = timeWords(usedSinceTime);
  if (usedCount === 0) return `Nothing since ${since}`;
  return `${usedCount} of ${formatQuantity(capabilityCount, "capability", "capabilities")} since ${since}, last ${timeWords(lastUseTime)}`;
}

export const nameOf = ({ identityName = "", roleName = "", groupName = "" }: AccessReviewItem): string =>
  `${identityName}, ${roleName} in ${groupName}`;

const COLUMNS: readonly (readonly [string, (item: AccessReviewItem) => string])[] = [
  ["Identity", ({ identityName = "" }) => identityName],
  ["Identity ID", ({ identityUid = "" }) => identityUid],
  ["Kind", ({ machine }) => (machine ? "Machine" : "Person")],
  ["Role", ({ roleName = "" }) => roleName],
  ["Folder", ({ groupName = "" }) => groupName],
  ["Role binding ID", ({ bindingUid = "" }) => bindingUid],
  ["Inherited", ({ inherited }) => (inherited ? "yes: granted further up" : "")],
  ["Granted", ({ grantTime }) => timeWords(grantTime)],
  ["Granted by", ({ grantedByName = "" }) => grantedByName],
  ["Reason", ({ grantReason = "" }) => grantReason],
  ["Last seen, at the start", ({ lastSeenTime }) => timeWords(lastSeenTime) || "never"],
  ["Used, until the start", usedWords],
  ["Look at", (item) => flagsOf(item).join(", ")],
  ["Ends", ({ expirationTime }) => timeWords(expirationTime)],
  ["Decision", (item) => (item.inherited ? "" : decisionWords(item))],
  ["Note", ({ note = "" }) => note],
  ["Decided by", ({ decidedByName = "" }) => decidedByName],
  ["Decided at", ({ decideTime }) => timeWords(decideTime)],
  ["Result", resultWords],
  ["Result in words", ({ resultMessage = "" }) => resultMessage],
];

/** The role bindings of a review as a table, for people. */
export const reviewCsv = (items: readonly AccessReviewItem[]): string =>
  BYTE_ORDER_MARK +
  [COLUMNS.map(([head]) => head), ...items.map((item) => COLUMNS.map(([, text]) => text(item)))]
    .map(csvLine)
    .join("");
