import { expect, test } from "vitest";

import { ratedOf, SEVERITY_WORDS, severityRank } from "./rating";

const NO_VECTORS = () => undefined;
const rankOf = (...severities: readonly { type: string; score: string }[]): number | undefined => {
  const [shown] = ratedOf(severities, NO_VECTORS);
  return shown && severityRank(shown);
};
const said = (score: string) => ({ type: "TYPE_UNSPECIFIED", score });
const v3 = (score: string) => ({ type: "TYPE_CVSS_V3", score });
const v2 = (score: string) => ({ type: "TYPE_CVSS_V2", score });

test("ranks first by the word that is shown, then by the score, and a word without a score is the least of its kind", () => {
  const worstFirst = [
    v3("10"),
    v3("9.0"),
    said("critical"),
    v2("10"),
    v3("8.9"),
    said("HIGH"),
    v3("4.0"),
    v3("0.1"),
    v2("0"),
    said("Low"),
    v3("0"),
    said("none"),
  ].map((one) => rankOf(one) ?? -1);
  expect(worstFirst).toEqual(worstFirst.toSorted((one, other) => other - one));
  expect(new Set(worstFirst).size).toBe(worstFirst.length);
  expect([worstFirst[0], worstFirst.at(-1)]).toEqual([4101, 0]);
  expect(rankOf(said("?"))).toBeUndefined();
});

test("of several, the newest version of CVSS counts, then the worst; a word only where there is no version", () => {
  expect(rankOf(v2("10"), v3("5"), said("Critical"), v3("6"))).toBe(rankOf(v3("6")));
  expect(rankOf(...SEVERITY_WORDS.toReversed().map(said))).toBe(rankOf(said("Critical")));
});
