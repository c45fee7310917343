import { expect, test } from "vitest";

import { NO_RULES, problemsOf, readRules, rulesFile, rulesOf as formOf, valuesOf, type Rules } from "./rules";

const rulesOf = (rules: Partial<Rules>): Rules => ({ ...NO_RULES, ...rules });

test("rules are read back as they were written, and others are refused with a sentence", () => {
  const rules = rulesOf({ names: "pr-*", olderThanDays: "30", kinds: ["dates"] });
  expect(readRules(rulesFile(rules))).toEqual(rules);
  expect(() => readRules("{")).toThrow("This file isn't valid JSON.");
  expect(() => readRules("{}")).toThrow("This file has no retention rules.");
  expect(() => readRules(rulesFile(rules).replace('"version": 1', '"version": 2'))).toThrow(
    "These rules have version 2, but this console reads version 1.",
  );
  expect(() => readRules(rulesFile(rules).replace('"30"', "30"))).toThrow(/damaged at olderThanDays/);
  // Half filled in: said by the preview.
  expect(readRules(rulesFile({ ...rules, olderThanDays: "-" })).olderThanDays).toBe("-");
});

test("no rule at all would delete everything, and is refused; so are numbers that are none", () => {
  expect(problemsOf(NO_RULES)).toEqual({
    names: "Set at least one rule. Without any, every tag would be deleted.",
  });
  expect(problemsOf(rulesOf({ olderThanDays: "0" })).olderThanDays).toMatch(/whole number of days/);
  expect(problemsOf(rulesOf({ keepNewest: "1.5" })).keepNewest).toMatch(/whole number of tags/);
  expect(problemsOf(rulesOf({ deprecated: true }))).toEqual({});
});

test("files of rules of earlier versions are still read", () => {
  const { notPulledDays: _, askedCounts: __, exempt: ___, ...before } = rulesOf({ names: "old-*" });
  expect(readRules(rulesFile(before as Rules))).toEqual(rulesOf({ names: "old-*" }));
  expect(problemsOf(rulesOf({ notPulledDays: "0" }))).toHaveProperty("notPulledDays");
  expect(problemsOf(rulesOf({ notPulledDays: "30" }))).toEqual({});
});

test("what the form says and what the service keeps are the same", () => {
  const rules = rulesOf({
    names: "pr-*, *-dev",
    exempt: "pr-1",
    olderThanDays: "30",
    notPulledDays: "60",
    askedCounts: false,
    deprecated: true,
    keepNewest: "3",
    line: "variant",
    kinds: ["epochs"],
  });
  expect(valuesOf(rules)).toEqual({
    namePatterns: ["pr-*", "*-dev"],
    exemptPatterns: ["pr-1"],
    olderThanDays: 30,
    notPulledDays: 60,
    downloadsOnly: true,
    deprecatedOnly: true,
    keepNewest: 3,
    keepNewestOf: "RETENTION_LINE_VARIANT",
    includedNames: ["RETENTION_NAMES_EPOCHS"],
  });
  expect(formOf(valuesOf(rules))).toEqual(rules);
  expect(formOf(valuesOf(NO_RULES))).toEqual(NO_RULES);
});
