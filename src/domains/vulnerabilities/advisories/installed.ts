import type { AdvisoryEvent } from "platform-contract/vulnerabilities/events";
import { placeOf } from "platform-contract/vulnerabilities/places";
import type { InstalledVersion } from "platform-contract/vulnerabilities/advisories";

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

/** Why a version cannot be answered, by what the advisory says; undefined if it has not been assessed. */
export function whyUnknown(appliesTo: string, event: AdvisoryEvent | undefined): string | undefined {
  const { version } = placeOf(appliesTo);
  if (version !== undefined) return `this advisory is only about ${version}`;
  const { affectedRanges = [], affectedVersions = [], fixed } = event ?? {};
  return affectedRanges.length > 0 || affectedVersions.length > 0 || fixed?.fixedVersion
    ? "it can't be compared with the versions of this advisory"
    : undefined;
}

/**
 * The answer, and the range that decides it: "Yes, affected (before 1.4.7)".
 * @param why why it is unknown, if it is
 */
export function installedText(one: InstalledVersion, why?: string): string {
  const words = WORDS[answerOf(one)];
  if (answerOf(one) === "unknown" && why !== undefined) return `${words}: ${why}`;
  if (!one.range) return words;
  const range = rangeText(one.range);
  return answerOf(one) === "affected" ? `${words} (${range})` : `${words} (affected: ${range})`;
}
