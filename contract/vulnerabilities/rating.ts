import { byDescending } from "../order";
import type { Severity } from "./severity";

/** Worst first. */
export const SEVERITY_WORDS = ["Critical", "High", "Medium", "Low", "None"] as const;
export type SeverityWord = (typeof SEVERITY_WORDS)[number];

interface Step {
  readonly from: number;
  readonly word: SeverityWord;
}

/** The qualitative scale of CVSS 3 and 4 (first.org/cvss, sections 5 and 6). */
const SCALE: readonly Step[] = [
  { from: 9, word: "Critical" },
  { from: 7, word: "High" },
  { from: 4, word: "Medium" },
  { from: 0.1, word: "Low" },
];
/** CVSS 2 defines no ratings: these are the NVD's, which end at "High". */
const SCALE_OF_2: readonly Step[] = [...SCALE.slice(1, 3), { from: 0, word: "Low" }];

function wordOf(score: number, version: string): SeverityWord {
  const scale = version.startsWith("2") ? SCALE_OF_2 : SCALE;
  return scale.find(({ from }) => score >= from)?.word ?? "None";
}

export interface Rated {
  /** "3.1"; "" if unknown. */
  readonly version: string;
  /** 0 to 10; undefined if the source has only a word. */
  readonly score?: number;
  readonly word: SeverityWord;
  /** Undefined if the response has only a number. */
  readonly vector?: string;
}

/** What a rating needs of a vector. The package that reads them is as large as a screen: each program brings it. */
interface Vector {
  isBaseFullyDefined(): boolean;
  /** "CVSS:3.1" */
  getVectorName(): string;
  calculateScores(): { readonly overall: number };
}
export type ReadVector<V extends Vector = Vector> = (text: string) => V | null | undefined;

/** In characters; a vector with every metric is shorter. */
const MAX_CHARS = 400;
const VERSIONS: Readonly<Record<string, string>> = {
  TYPE_CVSS_V2: "2",
  TYPE_CVSS_V3: "3",
  TYPE_CVSS_V4: "4",
};

/** Parses a vector; undefined unless all base metrics are present, since it has no score without them. */
export function parseVector<V extends Vector>(text: string, read: ReadVector<V>): V | undefined {
  if (text.length > MAX_CHARS) return undefined;
  try {
    const vector = read(text);
    return vector?.isBaseFullyDefined() ? vector : undefined;
  } catch {
    return undefined;
  }
}

/** Score and rating of a severity; undefined if its text is no vector, number or word. */
export function rate({ type = "", score: text = "" }: Severity, read: ReadVector): Rated | undefined {
  const trimmed = text.trim();
  const vector = parseVector(trimmed, read);
  if (vector) {
    const version = vector.getVectorName().replace("CVSS:", "");
    const score = vector.calculateScores().overall;
    return { version, score, word: wordOf(score, version), vector: trimmed };
  }
  const said = SEVERITY_WORDS.find((word) => word.toUpperCase() === trimmed.toUpperCase());
  if (said) return { version: "", word: said };
  const score = /^\d{1,2}(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  const version = VERSIONS[type] ?? "";
  return score <= 10 ? { version, score, word: wordOf(score, version) } : undefined;
}

/**
 * By which lists are sorted, the worst highest, from 0 to 4101: first by the word that they show, which is not always that of
 * the score, since CVSS 2 ends at "High"; then by the score, and a word without one is the least of its kind.
 */
export const severityRank = ({ word, score }: Rated): number =>
  (SEVERITY_WORDS.length - 1 - SEVERITY_WORDS.indexOf(word)) * 1000 +
  (score === undefined ? 0 : Math.round(score * 10) + 1);

/** The severities that can be rated, newest CVSS version first, and of one version the worst: the first is what is shown. */
export const ratedOf = (severities: readonly Severity[], read: ReadVector): Rated[] =>
  severities
    .flatMap((severity) => rate(severity, read) ?? [])
    .toSorted(byDescending(({ version }) => version, severityRank));
