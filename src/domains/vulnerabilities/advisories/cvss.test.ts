import { describe, expect, it } from "vitest";

import { metricsOf, rate, ratedOf } from "./cvss";

// Examples from the specifications' calculators.
it.each([
  ["AV:N/AC:L/Au:N/C:N/I:N/A:C", "2.0", 7.8, "High"],
  ["CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", "3.0", 6.1, "Medium"],
  ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "3.1", 9.8, "Critical"],
  ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", "3.1", 0, "None"],
  ["CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", "4.0", 9.3, "Critical"],
])("%s", (score, version, number, word) => {
  expect(rate({ score })).toMatchObject({ version, score: number, word, vector: score });
});

it("rates by score, and CVSS 2 up to high", () => {
  expect(rate({ type: "TYPE_CVSS_V3", score: "7.5" })).toMatchObject({
    version: "3",
    score: 7.5,
    word: "High",
  });
  expect(rate({ type: "TYPE_CVSS_V2", score: "9.3" })?.word).toBe("High");
});

it("takes the word of a source that has no score, and prefers a score", () => {
  const word = { type: "TYPE_UNSPECIFIED", score: "HIGH" };
  expect(rate(word)).toEqual({ version: "", word: "High" });
  expect(ratedOf([word, { type: "TYPE_CVSS_V3", score: "5.0" }])[0]?.word).toBe("Medium");
});

it.each(["", "severe", "11", "-1", "CVSS:3.1/AV:N", "CVSS:9.9/AV:N", `CVSS:3.1/${"AV:N/".repeat(80)}`])(
  "does not rate %j",
  (score) => expect(rate({ type: "TYPE_CVSS_V3", score })).toBeUndefined(),
);

describe("several", () => {
  const [old, modern] = [
    "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
    "CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  ];
  it("puts the newest version first", () => {
    expect(
      ratedOf([{ score: old }, { score: "?" }, { score: modern }]).map(({ version }) => version),
    ).toEqual(["4.0", "3.1"]);
  });
});

it("says a vector in words", () => {
  const metrics = metricsOf("CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:N/I:H/A:L");
  expect(metrics.map(({ key, value }) => `${key} ${value}`)).toEqual([
    "AV Local",
    "AC Low",
    "PR None",
    "UI Required",
    "S Unchanged",
    "C None",
    "I High",
    "A Low",
  ]);
  expect(metrics.every(({ name, means }) => name !== "" && means !== "")).toBe(true);
});
