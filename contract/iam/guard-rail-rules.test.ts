import { describe, expect, it, test } from "vitest";

import { fitsPattern, guardRailSentence, isExcepted } from "./guard-rail-rules";
import { exceptionProblems } from "./guard-rails";

describe("a pattern", () => {
  it.each([
    ["team-a", "team-*", true],
    ["team-", "team-*", true],
    ["team-", "team-?", false],
    ["a", "?", true],
    ["\u{1f600}", "?", true],
    ["steam-a", "team-*", false],
    ["team-a-x", "*-x", true],
    ["aab", "a*b", true],
    ["aabc", "a*b", false],
    ["", "*", true],
    ["", "", true],
    ["a", "", false],
    ["a.b", "a?b", true],
    ["axb", "a.b", false],
  ])("%j fits %j: %s", (text, pattern, fits) => expect(fitsPattern(text, pattern)).toBe(fits));

  it("takes no time that grows with its stars", () => {
    const start = performance.now();
    expect(fitsPattern("a".repeat(10_000), `${"*a".repeat(10)}b`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("a sentence", () => {
  const names = { role: (uid: string) => ({ o: "owner" })[uid], capability: (name: string) => name };
  it.each([
    [
      { kind: "GUARD_RAIL_KIND_NO_MACHINES", roles: ["o"] },
      "Machines can't have owner or a role that can do as much",
    ],
    [
      { kind: "GUARD_RAIL_KIND_SECOND_PERSON", roles: ["gone"] },
      "Only people who asked for access get a deleted role or a role that can do as much, and only from another person",
    ],
    [
      { kind: "GUARD_RAIL_KIND_ALLOWED_ISSUERS", issuers: ["a", "b"], exactSubject: true, claims: ["c"] },
      "Identities must trust only tokens of a or b, and name one subject instead of a pattern, and require one value for the claim c",
    ],
    [
      { kind: "GUARD_RAIL_KIND_NAME_PATTERN", names: "GUARD_RAIL_NAMES_REPOS", patterns: ["a*"] },
      "Names of repos must be like a*",
    ],
    [{ kind: "GUARD_RAIL_KIND_REASON_REQUIRED" }, "Changes that give access need a reason"],
    [{ kind: "GUARD_RAIL_KIND_OF_TOMORROW" }, "A guard rail of a kind that is not known here"],
  ])("of %j", (values, sentence) => expect(guardRailSentence(values, names)).toBe(sentence));
});

test("an exception covers its identity, or what is in its group, until it ends", () => {
  const [root, other] = ["a".repeat(40), "b".repeat(40)];
  const end = "2026-01-02T00:00:00Z";
  const one = { subject: root, expirationTime: end, reason: "r" };
  const before = Date.parse(end) - 1;
  expect(isExcepted([one], { within: [`${root}/${"0".repeat(16)}`] }, before)).toBe(true);
  expect(isExcepted([one], { identity: root }, before)).toBe(true);
  expect(isExcepted([one], { identity: `${root}/${"0".repeat(16)}` }, before)).toBe(false);
  expect(isExcepted([one], { within: [root] }, before + 1)).toBe(false);
  expect(exceptionProblems([one], [one], other, before + 9)).toEqual([]);
  expect(exceptionProblems([one], [], other, before + 9)).toMatchObject([
    { field: "exceptions[0].expirationTime" },
  ]);
  const inside = { ...one, subject: `${root}/${"0".repeat(16)}` };
  expect(exceptionProblems([inside], [inside], other, before)).toMatchObject([
    { field: "exceptions[0].subject" },
  ]);
});
