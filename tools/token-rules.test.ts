import { expect, it } from "vitest";

import { fitsClaims, fitsStaticKeys, type ClaimMatch } from "../server/platform/access/matching";
import { matchesPattern } from "../server/platform/access/patterns";
import type { Identity } from "../contract/iam/identities";
import { compare } from "../src/domains/identities/identities/token-tester/compare";
import { readToken, type Token } from "../src/domains/identities/identities/token-tester/read-token";
import { tokenOf } from "../src/domains/identities/identities/token-tester/testing";

const PLATFORM = "https://platform.example";
const NOW = Date.parse("2026-06-01T12:00:00Z");

const matches: readonly ClaimMatch[] = [
  { issuer: "https://a.example", subject: "s" },
  { issuer: "https://a.example/", subject: "s" },
  { issuer: "https://a.example", subject: "S", audience: "x" },
  { issuer: "https://a.example", subjectPattern: "s+" },
  { issuerPattern: "https://.*", subjectPattern: "(?i)S", audiencePattern: "[xy]" },
  { issuerPattern: "https://a", subject: "s" },
  { issuer: "https://a.example", subjectPattern: "s(?=x)" },
  { issuer: "https://a.example", subjectPattern: "\\pL", claims: { env: "prod" } },
  { issuer: "https://a.example", subject: "s", claims: { run: "1", ok: "true" } },
  { issuer: "https://a.example", subject: "s", claimPatterns: { env: "pr.*", toString: ".*" } },
  { issuer: "https://a.example", subject: "s", claimPatterns: { ref: "refs/heads/.+" } },
  { subject: "s" } as ClaimMatch,
  { issuer: "https://a.example" } as ClaimMatch,
  { issuer: "https://a.example", issuerPattern: "never", subject: "s", subjectPattern: "never" },
];
const tokens: readonly object[] = [
  { iss: "https://a.example", sub: "s", aud: PLATFORM },
  { iss: "https://a.example", sub: "s", aud: ["x", PLATFORM], env: "prod", run: 1, ok: true },
  { iss: "https://a.example/", sub: "s", aud: PLATFORM },
  { iss: "https://a.example", sub: "S", aud: "x", env: ["dev", "prod"] },
  { iss: "https://a.example", sub: "ss", aud: [PLATFORM], ref: "refs/heads/main\n" },
  { iss: "https://a.example", sub: "s", aud: PLATFORM, env: { prod: true }, ref: "refs/heads/main" },
  { iss: "https://a.example", sub: `s${"s".repeat(1_200)}`, aud: PLATFORM },
  { iss: "https://a.example", sub: "s" },
];

const read = (claims: object): Token => {
  const { token } = readToken(tokenOf(claims), { oidc: { authority: "" } }, NOW);
  if (!token) throw new Error("unreadable");
  return token;
};

it("the token tester decides as the service does", () => {
  let fitting = 0;
  for (const claims of tokens)
    for (const claimMatch of matches) {
      const token = read(claims);
      const judged = fitsClaims(claimMatch, token, PLATFORM, matchesPattern);
      let step = judged.next();
      while (!step.done) step = judged.next();
      const { fits } = compare({ uid: "u", name: "n", claimMatch } as Identity, token, PLATFORM, NOW);
      expect(fits, JSON.stringify([claims, claimMatch])).toBe(step.value);
      fitting += Number(fits);
    }
  expect(fitting).toBeGreaterThan(10);
});

it("of static keys too, as far as a signature is not needed", () => {
  const issuer = "https://a.example";
  for (const claims of tokens)
    for (const more of [
      {},
      { audiences: ["x"] },
      { expirationTime: "2026-05-01T00:00:00Z" },
      { subject: "S" },
    ]) {
      const staticKeys = { issuer, subject: "s", issuerKeys: '{"keys":[{}]}', ...more };
      const token = read(claims);
      const { fits } = compare({ uid: "u", name: "n", staticKeys } as Identity, token, PLATFORM, NOW);
      expect(fits).toBe(fitsStaticKeys(staticKeys, token, [PLATFORM], new Date(NOW)));
    }
});
