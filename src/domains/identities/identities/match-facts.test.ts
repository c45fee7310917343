import { describe, expect, it } from "vitest";

import type { Identity } from "platform-contract/iam/identities";

import { GITHUB_ISSUER } from "./github";
import { matchFacts } from "./match-facts";

const machine: Identity = { uid: `${"a".repeat(40)}/${"b".repeat(16)}`, name: "ci" };
const lines = (relationship: Partial<Identity>) =>
  matchFacts({ ...machine, ...relationship }).map(({ term, text }) => `${term}: ${text}`);

describe("what an identity matches", () => {
  it("is every claim that a token must have", () => {
    const claimMatch = {
      issuer: "https://x",
      subjectPattern: "s.*",
      claims: { env: "prod" },
      claimPatterns: { ref: "v.*" },
    };
    expect(lines({ claimMatch })).toEqual([
      "Issuer: https://x",
      "Subject pattern: s.*",
      "Claim env: prod",
      "Claim ref, by pattern: v.*",
    ]);
  });

  it("is said in words for GitHub", () => {
    const words = (subject: string) => lines({ claimMatch: { issuer: GITHUB_ISSUER, subject } })[0];
    expect(words("repo:acme@1/api@2:ref:refs/heads/main")).toBe("GitHub Actions: Branch main of acme/api");
    expect(words("repo:acme@1/api@2:pull_request")).toBe("GitHub Actions: Pull requests of acme/api");
    expect(words("job:deploy")).toBe(`Issuer: ${GITHUB_ISSUER}`);
  });

  it("is the account and the caller for AWS, and the service for a service", () => {
    expect(
      lines({ awsIdentity: { awsAccount: "123456789012", arnPattern: "arn:.*", userId: "AROA" } }),
    ).toEqual(["AWS account: 123456789012", "ARN pattern: arn:.*", "User ID: AROA"]);
    expect(lines({ servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" })).toEqual([
      "Service: ingester (data ingestion)",
    ]);
    expect(lines({ servicePrincipal: "SERVICE_PRINCIPAL_NEW" })).toEqual(["Service: new"]);
    expect(lines({})).toEqual([]);
  });
});
