/** `AV:N/AC:L`: metrics with their values, at least the six that every version of CVSS has; the longest is `U:Amber`. */
const METRICS = /^(?:[A-Za-z]{1,3}:[A-Za-z]{1,5}\/){5,}[A-Za-z]{1,3}:[A-Za-z]{1,5}$/;

const PREFIXES: Readonly<Record<string, RegExp>> = {
  CVSS_V2: /^/,
  CVSS_V3: /^CVSS:3\.[01]\//,
  CVSS_V4: /^CVSS:4\.0\//,
};

/** True if `score` is a vector of that type: `CVSS_V2`, `CVSS_V3` or `CVSS_V4` (https://www.first.org/cvss/). */
export function isVector(type: string, score: string): boolean {
  const prefix = PREFIXES[type];
  return prefix !== undefined && prefix.test(score) && METRICS.test(score.replace(prefix, ""));
}

const WORDS: Readonly<Record<string, string>> = {
  critical: "CRITICAL",
  high: "HIGH",
  important: "HIGH",
  medium: "MEDIUM",
  moderate: "MEDIUM",
  low: "LOW",
  negligible: "LOW",
};

/** A severity that a source states as a word, in ours; undefined if it is none that we know. */
export const wordOf = (text: string | undefined): string | undefined =>
  WORDS[(text ?? "").trim().toLowerCase()];
