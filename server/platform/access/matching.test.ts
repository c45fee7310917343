import { expect, test } from "vitest";

import { fitsClaims, type ClaimMatch, type VerifiedToken } from "./matching";
import { matchesPattern, patternProblem } from "./patterns";

const US = "https://platform.test";
const token: VerifiedToken = {
  issuer: "https://ci.example",
  subject: "repo:a:main",
  audiences: [US],
  claims: {
    env: "prod",
    run: 7,
    admin: true,
    ref: "refs/heads/main",
    groups: ["ops", "dev-a"],
    nested: { a: 1 },
  },
};
const exact = { issuer: token.issuer, subject: token.subject };
function fits(match: ClaimMatch): boolean {
  const work = fitsClaims(match, token, US, matchesPattern);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

test("claims are compared literally or by pattern, and every one has to match", () => {
  const claims = { env: "prod", run: "7", admin: "true" };
  const claimPatterns = { ref: "refs/heads/.*", groups: "dev-.*" };
  expect(fits({ ...exact, claims, claimPatterns })).toBe(true);
  for (const wrong of [{ env: "dev" }, { run: "8" }, { none: "" }, { nested: "[object Object]" }])
    expect(fits({ ...exact, claims: { ...claims, ...wrong } })).toBe(false);
  for (const wrong of [{ ref: "heads" }, { groups: "dev" }, { none: ".*" }])
    expect(fits({ ...exact, claimPatterns: { ...claimPatterns, ...wrong } })).toBe(false);
});

test("issuer and subject are compared exactly, or by a pattern that covers all of it", () => {
  expect(fits(exact)).toBe(true);
  expect(fits({ issuerPattern: "https://.*", subjectPattern: "repo:(a|b):main" })).toBe(true);
  for (const subject of ["repo:a:mai", "repo:a:main ", "Repo:a:main"])
    expect(fits({ ...exact, subject })).toBe(false);
  for (const subjectPattern of ["repo:a", "a:main", "repo:a|x", "^$"])
    expect(fits({ issuer: exact.issuer, subjectPattern })).toBe(false);
  expect(fits({ issuer: exact.issuer })).toBe(false);
});

test("a pattern takes linear time, however it is written", () => {
  expect(matchesPattern("(a*)*b", "a".repeat(1_900))).toBe(false);
  expect(matchesPattern(".*", "a".repeat(2_001))).toBe(false);
  expect(patternProblem("((a{100}){100}){100}")).toMatch(/^is too large/);
  expect(patternProblem("[a-z]{999}[a-z]{999}")).toMatch(/^is too large/);
  expect(patternProblem("repo:.*")).toBeUndefined();
});

test("a pattern that would be too large is told from its text, one with brackets to match is not", () => {
  const { user: begin } = process.cpuUsage();
  for (const [index, part] of ["a{0,999}", "(a?){1000}", "((a{10}){10}){10}", "(?i:.{900})"].entries())
    for (let more = 0; more < 5; more++)
      expect(patternProblem(`${index}${more}${part.repeat(Math.floor(490 / part.length))}`)).toMatch(
        /^is too large/,
      );
  // Compiling them used to take ten seconds, and each was cached with tens of megabytes.
  expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(2_000);
  for (const [pattern, text] of [
    ["\\{1000\\}\\{1000\\}\\{1000\\}", "{1000}{1000}{1000}"],
    ["[{1000}]+", "{1000}{1000}"],
    ["(?:ab){120}", "ab".repeat(120)],
    ["(?P<name>(?i)a{80})b{80}(?-i:c{80})", `${"A".repeat(80)}${"b".repeat(80)}${"c".repeat(80)}`],
    ["\\Qa{1000}{1000}{1000}\\E", "a{1000}{1000}{1000}"],
  ] as const) {
    expect(patternProblem(pattern), pattern).toBeUndefined();
    expect(matchesPattern(pattern, text), pattern).toBe(true);
  }
});
