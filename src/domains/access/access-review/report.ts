import { isPerson } from "~/frame/scope/people";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { countedWords } from "~/domains/access/use/facts";
import { formatQuantity } from "~/ui/display/numbers";
import { readTime } from "~/ui/display/time-text";

import {
  ABOVE_HIDDEN,
  RESULTS,
  type LastUse,
  type ReviewItem,
  type Result,
  type Review,
  type SignOff,
} from "./format";

const RESULT_WORDS: Readonly<Record<Result, string>> = {
  kept: "Kept",
  reduced: "Reduced",
  revoked: "Revoked",
  open: "Not applied",
  changed: "Changed meanwhile",
  gone: "Removed by somebody else",
  undecided: "Not decided",
};
export const resultWords = ({ result = "undecided" }: Pick<ReviewItem, "result">): string =>
  RESULT_WORDS[result];

/** In UTC whatever the reader prefers: the same report has the same bytes for everybody. */
export const timeWords = (text: string | undefined): string => {
  const time = readTime(text);
  return time ? `${time.toISOString().slice(0, 19).replace("T", " ")} UTC` : "";
};

const whyWords = (why: string | undefined): string => (why === undefined ? "" : ` (reason: ${why})`);

/** Who granted it, when and why, in words. */
export function grantedWords({
  evidence: { granted, changed, first },
}: Pick<ReviewItem, "evidence">): string {
  const when = timeWords(granted?.at) || "time unknown";
  const made = `${when}, by ${granted?.by ?? "unknown"}${whyWords(granted?.why)}`;
  return [
    first ? `again ${made}` : made,
    ...(changed ? [`role changed ${timeWords(changed.at)}, by ${changed.by}${whyWords(changed.why)}`] : []),
    ...(first ? [`first granted ${timeWords(first.at)}, by ${first.by ?? "unknown"}`] : []),
  ].join("; ");
}

export const seenWords = ({ evidence: { seen } }: Pick<ReviewItem, "evidence">): string =>
  seen === undefined ? "unknown" : seen === null ? "never" : timeWords(seen);

export function usedWords({ evidence: { used, uses } }: Pick<ReviewItem, "evidence">): string {
  const counted =
    uses?.groups === undefined ? "" : `; lists that name no folder are ${countedWords(uses.groups)}`;
  if (uses?.some === 0) return `nothing used since ${timeWords(uses.since)}${counted}`;
  if (uses)
    return `used ${uses.some} of ${formatQuantity(uses.of, "capability", "capabilities")} since ${timeWords(uses.since)}, last ${timeWords(uses.last ?? undefined)}${counted}`;
  if (!used) return "";
  if (used.of === 0) return "the role allows none that the log records";
  const since = timeWords(used.since);
  return used.some === 0
    ? `no changes in the log since ${since}`
    : `made ${used.some} of the ${formatQuantity(used.of, "kind of change", "kinds of change")} that the role allows since ${since}, according to the log`;
}

/** When somebody last pulled or pushed. */
export const lastUseWords = (use: LastUse | undefined): string =>
  !use ? "" : use.last === null ? `none since ${timeWords(use.since)}` : timeWords(use.last);

export const decisionWords = ({ decision, to, role }: ReviewItem): string =>
  decision === "reduce"
    ? `Reduce ${role.name} to ${to?.name ?? ""}`
    : decision === "keep"
      ? "Keep"
      : decision === "revoke"
        ? "Revoke"
        : "Not decided";

/** Decision and result of an inherited binding. */
export const ABOVE = "None here: decided where it was granted";
export const NOT_REVIEWED = "Inherited, not reviewed";

/** What counts in the scope and the review doesn't decide; undefined if there is nothing. */
export function inheritedWords({ items, inherited = [], scope, gaps }: Review): string | undefined {
  if (inherited.length === 0) return undefined;
  const reviewed = formatQuantity(items.length, "role binding was", "role bindings were");
  const more = formatQuantity(inherited.length, "more counts", "more count");
  const least = gaps.includes(ABOVE_HIDDEN) ? "At least " : "";
  return `${reviewed} granted in ${scope.name} or below and can be decided here. ${least}${more} here because of a role from further up, and can only be decided where it was granted.`;
}

const EMPTY = ["", "", "", "", "", ""] as const;
const NO_EVIDENCE = [...EMPTY, "", ""] as const;

const HEAD = [
  "Identity",
  "Identity ID",
  "Kind",
  "Role",
  "Role ID",
  "Folder",
  "Role binding ID",
  "Granted",
  "Last seen",
  "Inherited twice",
  "Strong role of a machine",
  "Changes",
  "Last pull",
  "Last push",
  "Ends",
  "Decision",
  "New role",
  "New role ID",
  "Note",
  "Decided by",
  "Decided at",
  "Since",
  "Result",
  "Review",
  "Review ID",
  "Scope",
  "Scope ID",
  "Service",
  "Started by",
  "Started at",
  "Signed off by",
  "Signed off at",
];

/** The signed content: a line for each binding, with everything that a reader of one line needs. */
export function reportCsv(review: Review, signed: { readonly by: string; readonly at: string }): string {
  const about = [
    review.title,
    review.id,
    review.scope.name,
    review.scope.uid,
    review.service,
    review.started.by,
    review.started.at,
    signed.by,
    signed.at,
  ];
  const rows = review.items.map((item) => [
    item.identity.name,
    item.identity.uid,
    item.identity.machine ? "Machine" : "Person",
    item.role.name,
    item.role.uid,
    item.folder,
    item.uid,
    grantedWords(item),
    seenWords(item),
    item.evidence.covered ?? (item.evidence.aboveUnknown ? "unknown" : ""),
    item.evidence.strong ? "yes" : "",
    usedWords(item),
    lastUseWords(item.evidence.pulled),
    lastUseWords(item.evidence.pushed),
    item.evidence.ends ?? "",
    decisionWords(item),
    item.to?.name ?? "",
    item.to?.uid ?? "",
    item.note ?? "",
    item.by ?? "",
    item.at ?? "",
    item.since ?? "",
    resultWords(item),
    ...about,
  ]);
  const more = (review.inherited ?? []).map(({ uid, identity, role, folder }) => [
    identity.name,
    identity.uid,
    isPerson(identity.uid) ? "Person" : "Machine",
    role.name,
    role.uid,
    folder,
    uid,
    // From "Granted" to "Ends".
    ...NO_EVIDENCE,
    ABOVE,
    // From "New role" to "Since".
    ...EMPTY,
    NOT_REVIEWED,
    ...about,
  ]);
  return BYTE_ORDER_MARK + [HEAD, ...more, ...rows].map(csvLine).join("");
}

/** Text that Markdown shows as it is, in one cell of a table. */
const plain = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, " ").replaceAll(/[\\`*_{}[\]<>()#+\-!|~&]/g, (mark) => `\\${mark}`);

const row = (cells: readonly string[]): string => `| ${cells.map(plain).join(" | ")} |\n`;

/** How many items have which result, in words. */
export const countsOf = ({ items }: Review): readonly (readonly [words: string, count: number])[] =>
  RESULTS.map(
    (result) => [RESULT_WORDS[result], items.filter((item) => item.result === result).length] as const,
  ).filter(([, count]) => count > 0);

/** @param file the name of the file that has the hash */
export function reportMarkdown(review: Review, signed: SignOff, file: string): string {
  const facts = [
    ["Scope", `${review.scope.name} (${review.scope.uid})`],
    ["Service", review.service],
    ["Started", `${timeWords(review.started.at)}, by ${review.started.by}`],
    ["Signed off", `${timeWords(signed.at)}, by ${signed.by}`],
    ...countsOf(review).map(([words, count]) => [words, String(count)]),
  ];
  const head = ["Identity", "Role", "Folder", "Decision", "Note", "Decided by", "Result"];
  const above = inheritedWords(review);
  return [
    `# ${plain(review.title)}\n\n`,
    ...(above === undefined ? [] : [`${plain(above)}\n\n`]),
    row(["", ""]),
    "| --- | --- |\n",
    ...facts.map(row),
    "\n",
    ...review.gaps.map((gap) => `- ${plain(gap)}\n`),
    review.gaps.length > 0 ? "\n" : "",
    row(head),
    `|${" --- |".repeat(head.length)}\n`,
    ...(review.inherited ?? []).map(({ identity, role, folder }) =>
      row([identity.name, role.name, folder, ABOVE, "", "", NOT_REVIEWED]),
    ),
    ...review.items.map((item) =>
      row([
        item.identity.name,
        item.role.name,
        item.folder,
        decisionWords(item),
        item.note ?? "",
        [item.by ?? "", timeWords(item.at)].filter(Boolean).join(", "),
        resultWords(item),
      ]),
    ),
    `\nSHA-256 of ${plain(file)}: \`${signed.sha256}\`. \`sha256sum\` prints the same for an unchanged file.\n`,
  ].join("");
}
