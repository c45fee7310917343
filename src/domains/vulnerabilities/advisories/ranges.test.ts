import { expect, test } from "vitest";

import { affectedText, rangeText } from "./ranges";

test.each([
  [{}, "all versions, no fix known"],
  [{ fixed: "1.2" }, "before 1.2"],
  [{ introduced: "2.0", fixed: "2.3" }, "from 2.0, before 2.3"],
  [{ introduced: "0.50.0" }, "0.50.0 and later, no fix known"],
  [{ lastAffected: "2.8.0" }, "up to 2.8.0"],
  [{ introduced: "1.0", lastAffected: "2.8.0" }, "from 1.0, up to 2.8.0"],
])("%j is %s", (range, words) => {
  expect(rangeText(range)).toBe(words);
});

test("names the first of many versions, and counts the others", () => {
  const affectedVersions = Array.from({ length: 14 }, (_, index) => `1.${index}`);
  expect(affectedText({ uid: "e", affectedVersions })).toEqual([
    "1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 1.10, 1.11 and 2 more",
  ]);
  expect(affectedText({ uid: "e" })).toEqual([]);
  const beside = { affectedRanges: [{ fixed: "1.2.0" }], affectedVersions: ["3.0.0"] };
  expect(affectedText({ uid: "e", ...beside })).toEqual(["before 1.2.0", "3.0.0"]);
});
