import { expect, it } from "vitest";

import { answerImage } from "./image-answer";
import type { ImageVerdicts, PackageVerdict } from "./image-advisories";

const said = (uid: string, verdict: string): PackageVerdict => ({
  advisory: { uid },
  installed: { verdict: `VERSION_VERDICT_${verdict}` },
});
const known = { known: true, count: 43 };
const [yes, no, open] = [said("a", "AFFECTED"), said("b", "NOT_AFFECTED"), said("c", "UNKNOWN")] as const;

it.each<[string, string, ImageVerdicts]>([
  ["affected", "1", { verdicts: [yes, yes, no, open], about: known, whole: true }],
  ["affected", "At least 1", { verdicts: [yes], about: known, whole: false }],
  [
    "unknown",
    "Unknown: the packages of this image aren't known",
    { verdicts: [], about: undefined, whole: true },
  ],
  [
    "unknown",
    "Unknown: the packages of this image aren't known",
    { verdicts: [], about: { known: false }, whole: true },
  ],
  [
    "unknown",
    "Unknown: it has more advisories than were read",
    { verdicts: [no], about: known, whole: false },
  ],
  ["unknown", "Unknown: 1 vulnerability undecided", { verdicts: [no, open], about: known, whole: true }],
  [
    "unknown",
    "Unknown for arm64: the packages aren't known",
    { verdicts: [no], about: { ...known, unknownArchitectures: ["arm64"] }, whole: true },
  ],
  [
    "not_affected",
    "Not affected by any advisory about its packages",
    { verdicts: [no], about: known, whole: true },
  ],
  ["none", "None known of 43 packages", { verdicts: [], about: known, whole: true }],
])("is %s: %s", (state, text, verdicts) => {
  expect(answerImage(verdicts, undefined)).toMatchObject({ state, text });
});

it("says neither 'none' nor 'not affected' while advisories can be hidden", () => {
  const some = (verdicts: readonly PackageVerdict[]) =>
    answerImage({ verdicts, about: known, whole: true }, "your role hides some").text;
  expect([[], [no], [yes]].map(some)).toEqual([
    "Unknown: your role hides some",
    "Unknown: your role hides some",
    "1",
  ]);
});
