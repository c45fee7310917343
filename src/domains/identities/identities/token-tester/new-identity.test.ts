import { expect, it } from "vitest";

import { GITHUB_ISSUER } from "../github";
import { toBody } from "../values";
import { compare } from "./compare";
import { identityFor } from "./new-identity";
import type { Token } from "./read-token";

const PLATFORM = "https://api.example";
const token = (issuer: string, subject: string, audiences: readonly string[] = [PLATFORM]): Token => ({
  issuer,
  subject,
  audiences,
  claims: { iss: issuer, sub: subject, aud: audiences, email: "ada@example.com" },
  algorithm: "RS256",
  keyId: undefined,
});

it.each([
  ["GitHub Actions", token(GITHUB_ISSUER, "repo:acme@12/api@345:ref:refs/heads/main"), "github", "acme api"],
  ["GitHub Actions without ids", token(GITHUB_ISSUER, "repo:acme/api:pull_request"), "github", "acme api"],
  [
    "a subject of GitHub that the preset cannot write",
    token(GITHUB_ISSUER, "acme:job_workflow_ref:x"),
    "claims",
    "acme job_workflow_ref x",
  ],
  ["another issuer", token("https://id.example", "Job/42 (ünsure)"), "claims", "job 42 nsure"],
  [
    "an audience of its own",
    token("https://id.example", "job", ["https://registry.example"]),
    "claims",
    "job",
  ],
] as const)("a new identity for a token of %s is one that the token matches", (_what, given, kind, name) => {
  const values = identityFor(given, PLATFORM);
  expect(values).toMatchObject({ kind, name });
  const identity = { uid: `${"a".repeat(40)}/${"b".repeat(16)}`, ...toBody(values) };
  expect(compare(identity, given, PLATFORM, 0).fits).toBe(true);
  expect(JSON.stringify(identity)).not.toContain("ada@example.com");
});
