import { expect, it } from "vitest";

import { readReview, reviewFile } from "./file";
import { decisionWords, flagsOf, resultWords, reviewCsv, usedWords } from "./words";

const item = {
  uid: `${"a".repeat(40)}/${"0".repeat(16)}`,
  identityName: "ci",
  roleName: "editor",
  groupName: "team",
  machine: true,
  findings: ["REVIEW_FINDING_STRONG_MACHINE", "REVIEW_FINDING_OF_LATER"],
  decision: "REVIEW_DECISION_REDUCE",
  toRoleName: "viewer",
  note: "Too, much",
  result: "REVIEW_RESULT_REFUSED",
  resultMessage: "No",
};
const review = { uid: "a".repeat(40), title: "Review" };

it("reads back what it writes, and says what is wrong with anything else", () => {
  const text = reviewFile({ review, items: [item] });
  expect(readReview(text)).toMatchObject({ review, items: [item] });
  for (const [wrong, sentence] of [
    [text.slice(0, text.length / 2), "isn't valid JSON"],
    ["{}", "isn't an access review"],
    [text.replace('"version":1', '"version":2'), "has version 2"],
    [text.replace('"note":"Too, much"', '"note":1'), "is damaged at items.0.note"],
  ] as const)
    expect(() => readReview(wrong)).toThrow(sentence);
});

it("says decisions, results and findings in words, and what it doesn't know as it is", () => {
  expect(decisionWords(item)).toBe("Reduce editor to viewer");
  expect(decisionWords({ uid: "" })).toBe("Not decided");
  expect(resultWords(item)).toBe("Refused");
  expect(resultWords({ uid: "", decision: "REVIEW_DECISION_REVOKE" })).toBe("Not applied");
  expect(flagsOf(item)).toEqual(["Machine with a strong role", "REVIEW_FINDING_OF_LATER"]);
  expect(usedWords({ uid: "" })).toMatch(/^Unknown/);
  const used = { uid: "", usedSinceTime: "2026-01-01T00:00:00Z", capabilityCount: 2 };
  expect(usedWords(used)).toBe("Nothing since 2026-01-01 00:00:00 UTC");
  expect(usedWords({ ...used, usedCount: 1, lastUseTime: "2026-02-01T00:00:00Z" })).toBe(
    "1 of 2 capabilities since 2026-01-01 00:00:00 UTC, last 2026-02-01 00:00:00 UTC",
  );
  expect(reviewCsv([item]).split("\r\n")[1]).toContain('"Too, much"');
});
