/** Of a badge: each step has its own, which nothing else uses. */
export type Tone = "critical" | "high" | "medium" | "low" | "neutral";

/** Worst first. */
export const SEVERITY_WORDS = ["Critical", "High", "Medium", "Low", "None"] as const;
export type SeverityWord = (typeof SEVERITY_WORDS)[number];

interface Rank {
  readonly from: number;
  readonly word: SeverityWord;
  readonly tone: Tone;
}

const NO_RANK: Rank = { from: 0, word: "None", tone: "neutral" };
/** The qualitative scale of CVSS 3 and 4 (first.org/cvss, sections 5 and 6). */
const RANKS: readonly Rank[] = [
  { from: 9, word: "Critical", tone: "critical" },
  { from: 7, word: "High", tone: "high" },
  { from: 4, word: "Medium", tone: "medium" },
  { from: 0.1, word: "Low", tone: "low" },
  NO_RANK,
];
/** CVSS 2 defines no ratings: these are the NVD's, which end at "High". */
const RANKS_OF_2 = RANKS.filter(({ word }) => word !== "Critical").map((rank) =>
  rank.word === "Low" ? { ...rank, from: 0 } : rank,
);

/** The rating and tone of a score. */
export const rankOf = (score: number, version: string): Pick<Rank, "word" | "tone"> => {
  const ranks = version.startsWith("2") ? RANKS_OF_2 : RANKS;
  const { word, tone } = ranks.find(({ from }) => score >= from) ?? NO_RANK;
  return { word, tone };
};

/** The rating that a source states as a word. */
export function rankOfWord(text: string): Pick<Rank, "word" | "tone"> | undefined {
  const rank = RANKS.find(({ word }) => word.toUpperCase() === text.toUpperCase());
  return rank && { word: rank.word, tone: rank.tone };
}
