import type { InstalledVersion } from "~/contract/vulnerabilities/advisories";

import { rangeText } from "./ranges";

/** Whether a version is affected; the worst first. */
export const ANSWERS = ["affected", "unknown", "not_affected"] as const;
export type VersionAnswer = (typeof ANSWERS)[number];

const ANSWER_OF: Readonly<Record<string, VersionAnswer>> = {
  VERSION_VERDICT_AFFECTED: "affected",
  VERSION_VERDICT_NOT_AFFECTED: "not_affected",
};
export const answerOf = ({ verdict = "" }: InstalledVersion): VersionAnswer =>
  ANSWER_OF[verdict] ?? "unknown";

const WORDS: Readonly<Record<VersionAnswer, string>> = {
  affected: "Yes, affected",
  unknown: "Unknown",
  not_affected: "No, not affected",
};

/** The answer, and the range that decides it: "Yes, affected (before 1.4.7)". */
export function installedText(one: InstalledVersion): string {
  const words = WORDS[answerOf(one)];
  if (!one.range) return words;
  const range = rangeText(one.range);
  return answerOf(one) === "affected" ? `${words} (${range})` : `${words} (affected: ${range})`;
}
