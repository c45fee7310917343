import { byDescending } from "platform-contract/order";
import { fromVector } from "ae-cvss-calculator";

import type { Severity } from "platform-contract/vulnerabilities/severity";

import { rankOf, rankOfWord, type SeverityWord, type Tone } from "./severity-words";

/** One metric of a vector, in the words of its specification. */
export interface Metric {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly means: string;
}

export interface Rated {
  /** "3.1"; "" if unknown. */
  readonly version: string;
  /** 0 to 10; undefined if the source has only a word. */
  readonly score?: number;
  readonly word: SeverityWord;
  readonly tone: Tone;
  /** Undefined if the response has only a number. */
  readonly vector?: string;
}

/** In characters; a vector with every metric is shorter. */
const MAX_CHARS = 400;
const VERSIONS: Readonly<Record<string, string>> = {
  TYPE_CVSS_V2: "2",
  TYPE_CVSS_V3: "3",
  TYPE_CVSS_V4: "4",
};

/** Parses a vector; undefined unless all base metrics are present, since it has no score without them. */
function parse(text: string) {
  if (text.length > MAX_CHARS) return undefined;
  try {
    const vector = fromVector(text);
    return vector?.isBaseFullyDefined() ? vector : undefined;
  } catch {
    return undefined;
  }
}

/** Score and rating of a severity; undefined if its text is no vector, number or word. */
export function rate({ type = "", score: text = "" }: Severity): Rated | undefined {
  const trimmed = text.trim();
  const vector = parse(trimmed);
  if (vector) {
    const version = vector.getVectorName().replace("CVSS:", "");
    const score = vector.calculateScores().overall;
    return { version, score, ...rankOf(score, version), vector: trimmed };
  }
  const said = rankOfWord(trimmed);
  if (said) return { version: "", ...said };
  const score = /^\d{1,2}(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  const version = VERSIONS[type] ?? "";
  return score <= 10 ? { version, score, ...rankOf(score, version) } : undefined;
}

/** The severities that can be rated, newest CVSS version first. */
export const ratedOf = (severities: readonly Severity[]): Rated[] =>
  severities
    .flatMap((severity) => rate(severity) ?? [])
    .toSorted(
      byDescending(
        ({ version }) => version,
        ({ score = -1 }) => score,
      ),
    );

const NOT_DEFINED = /^(?:X|ND)$/;

/** The metrics of a vector: all base metrics, and any others that are set. */
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
