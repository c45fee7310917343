import type { EventType } from "platform-contract/vulnerabilities/events";

/** Event types in words, for an advisory's history. */
export const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  detection: "Detected",
  truePositiveDetermination: "Affected",
  fixed: "Fixed",
  falsePositiveDetermination: "Not affected",
  analysisNotPlanned: "No analysis planned",
  fixNotPlanned: "No fix planned",
  pendingUpstreamFix: "Waiting for upstream",
  patched: "Patched",
};

export const REVIEW_WORDS: Readonly<Record<string, string>> = {
  REVIEW_STATE_PENDING: "Waiting for review",
  REVIEW_STATE_APPROVED: "Approved",
  REVIEW_STATE_REQUEST_CHANGES: "Changes requested",
  REVIEW_STATE_REJECTED: "Rejected",
};

/** Reasons for "not affected": in words, and as VEX justifications. */
export const REASONS: Readonly<Record<string, { readonly words: string; readonly vex: string }>> = {
  TYPE_VULNERABILITY_RECORD_ANALYSIS_CONTESTED: {
    words: "The vulnerability record is disputed",
    vex: "vulnerable_code_not_present",
  },
  TYPE_COMPONENT_VULNERABILITY_MISMATCH: {
    words: "The record is about a different component",
    vex: "component_not_present",
  },
  TYPE_VULNERABLE_CODE_VERSION_NOT_USED: {
    words: "The vulnerable version was never used",
    vex: "vulnerable_code_not_present",
  },
  TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE: {
    words: "The vulnerable code isn't in the package",
    vex: "vulnerable_code_not_present",
  },
  TYPE_VULNERABLE_CODE_NOT_IN_EXECUTION_PATH: {
    words: "The vulnerable code is never executed",
    vex: "vulnerable_code_not_in_execute_path",
  },
  TYPE_VULNERABLE_CODE_CANNOT_BE_CONTROLLED_BY_ADVERSARY: {
    words: "An attacker can't reach the vulnerable code",
    vex: "vulnerable_code_cannot_be_controlled_by_adversary",
  },
  TYPE_INLINE_MITIGATIONS_EXIST: {
    words: "Built-in mitigations prevent exploitation",
    vex: "inline_mitigations_already_exist",
  },
};
