import { describe, expect, it } from "vitest";

import type { Identity } from "platform-contract/iam/identities";

import { GITHUB_ISSUER } from "./github";
import { setMachines } from "~/frame/scope/people";

import { emailOrSubject, typeWord, matchesOf } from "./words";

const root = "a".repeat(40);
const machine: Identity = { uid: `${root}/${"b".repeat(16)}`, name: "ci" };
const issuer = "https://issuer.example";

describe("a list row", () => {
  it.each<[string, Partial<Identity>, string, ReturnType<typeof matchesOf>]>([
    ["claims", { claimMatch: { issuer, subject: "repo:a/b" } }, "OIDC claims", { text: "repo:a/b" }],
    [
      "a pattern",
      { claimMatch: { issuer, subjectPattern: "repo:.*" } },
      "OIDC claims",
      { text: "repo:.*", note: "pattern" },
    ],
    [
      "more claims",
      {
        claimMatch: {
          issuer,
          subject: "s",
          claims: { env: "prod" },
          claimPatterns: { env: "p.*", ref: "v.*" },
        },
      },
      "OIDC claims",
      { text: "s", note: "and 2 claims" },
    ],
    [
      "GitHub Actions",
      { claimMatch: { issuer: GITHUB_ISSUER, subject: "repo:acme@1/api@2:ref:refs/heads/main" } },
      "GitHub Actions",
      { text: "acme/api@main", whole: "repo:acme@1/api@2:ref:refs/heads/main" },
    ],
    [
      "GitHub Actions by name alone",
      { claimMatch: { issuer: GITHUB_ISSUER, subject: "repo:acme/api:environment:prod" } },
      "GitHub Actions",
      {
        text: "acme/api:environment:prod",
        whole: "repo:acme/api:environment:prod",
        note: "without ids",
      },
    ],
    [
      "keys",
      { staticKeys: { issuer, subject: "fleet", issuerKeys: "{}" } },
      "Static keys",
      { text: "fleet" },
    ],
    [
      "AWS",
      { awsIdentity: { awsAccount: "123456789012", arn: "arn:x", userIdPattern: ".*" } },
      "AWS",
      { text: "arn:x" },
    ],
    [
      "an AWS pattern",
      { awsIdentity: { awsAccount: "123456789012", arnPattern: "arn:.*" } },
      "AWS",
      { text: "arn:.*", note: "pattern" },
    ],
    [
      "a service",
      { servicePrincipal: "SERVICE_PRINCIPAL_CATALOG_SYNCER" },
      "Platform service",
      { text: "catalog syncer" },
    ],
    [
      "a newer service",
      { servicePrincipal: "SERVICE_PRINCIPAL_NEW_ONE" },
      "Platform service",
      { text: "new one" },
    ],
    ["a newer type", {}, "Other", { text: "" }],
  ])("says what it matches: %s", (_what, relationship, kind, matches) => {
    expect(typeWord({ ...machine, ...relationship })).toBe(kind);
    expect(matchesOf({ ...machine, ...relationship })).toEqual(matches);
  });

  it("names a person by the email, else by the subject", () => {
    const person: Identity = { uid: root, name: "ada", claimMatch: { issuer, subject: "7f3a" } };
    expect(typeWord(person)).toBe("Person");
    expect(emailOrSubject({ ...person, emailUnverified: "ada@example.com" })).toBe("ada@example.com");
    expect(emailOrSubject(person)).toBe("7f3a");
  });

  it("is a client of the service for those that config.json names", () => {
    const client = { uid: root, name: "automation" };
    setMachines([root]);
    expect(typeWord(client)).toBe("Client credentials");
    setMachines([]);
    expect(typeWord(client)).toBe("Person");
  });

  it("says client credentials for a machine that a client of the service signs in as", () => {
    const named = (subject: string) => ({ ...machine, claimMatch: { issuer, subject } });
    setMachines([], { issuer, ids: ["automation"] });
    expect(typeWord(named("automation"))).toBe("Client credentials");
    expect(typeWord(named("7f3a"))).toBe("OIDC claims");
    expect(typeWord({ ...machine, claimMatch: { issuer: `${issuer}/2`, subject: "automation" } })).toBe(
      "OIDC claims",
    );
    setMachines([]);
  });
});
