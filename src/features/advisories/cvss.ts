import { fromVector } from "ae-cvss-calculator";

import type { Severity } from "~/contract/vulnerabilities/severity";

import { rankOf, type SeverityWord, type Tone } from "./severity-words";

/** One choice of a vector, in the words of its specification. */
export interface Metric {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly means: string;
}

export interface Rated {
  /** "3.1"; "" where nobody says. */
  readonly version: string;
  /** 0 to 10. */
  readonly score: number;
  readonly word: SeverityWord;
  readonly tone: Tone;
  /** Undefined where the answer has a number alone. */
  readonly vector?: string;
}

/** A vector with every metric there is has fewer letters. */
const LONGEST = 400;
const VERSIONS: Readonly<Record<string, string>> = {
  TYPE_CVSS_V2: "2",
  TYPE_CVSS_V3: "3",
  TYPE_CVSS_V4: "4",
};

/** The vector, where its base metrics are all there: without them it has no score. */
function parse(text: string) {
  if (text.length > LONGEST) return undefined;
  try {
    const vector = fromVector(text);
    return vector?.isBaseFullyDefined() ? vector : undefined;
  } catch {
    return undefined;
  }
}

/** The number and the word of a severity; undefined where its text is neither a vector nor a number. */
export function rate({ type = "", score: text = "" }: Severity): Rated | undefined {
  const trimmed = text.trim();
  const vector = parse(trimmed);
  if (vector) {
    const version = vector.getVectorName().replace("CVSS:", "");
    const score = vector.calculateScores().overall;
    return { version, score, ...rankOf(score, version), vector: trimmed };
  }
  const score = /^\d{1,2}(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  const version = VERSIONS[type] ?? "";
  return score <= 10 ? { version, score, ...rankOf(score, version) } : undefined;
}

/** Those that can be read, of the newest version of CVSS first. */
export const ratedOf = (severities: readonly Severity[]): Rated[] =>
  severities.flatMap((severity) => rate(severity) ?? []).toSorted((a, b) => (a.version < b.version ? 1 : -1));

const NOT_DEFINED = /^(?:X|ND)$/;

/** What a vector says, metric by metric: those of the base, and whatever else is set. */
export function metricsOf(text: string): Metric[] {
  const vector = parse(text);
  return [...(vector?.getComponents() ?? [])]
    .filter(([, { shortName, hide }]) => !hide && !NOT_DEFINED.test(shortName))
    .map(([{ shortName, name }, { name: value, description }]) => ({
      key: shortName,
      name,
      value,
      means: description,
    }));
}
