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
const fits = (match: ClaimMatch) => fitsClaims(match, token, US);

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
  expect(patternProblem("((a{100}){100}){100}")).toMatch(/^must be a regular expression/);
  expect(patternProblem("[a-z]{999}[a-z]{999}")).toMatch(/^is too large/);
  expect(patternProblem("repo:.*")).toBeUndefined();
});
