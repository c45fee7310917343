import { describe, expect, it } from "vitest";

import { identities, type Identity } from "platform-contract/iam/identities";
import { oncePerField } from "platform-contract/violations";
import { problemsOf } from "~/frame/form/problems";
import type { OpenedRecord } from "~/frame/form/use-record-form";

import { formField, keysProblem, latestExpiry, problems as ownProblems, refProblem } from "./problems";
import { emptyIdentity, fromIdentity, toBody, type IdentityValues } from "./values";

const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;
const issuer = "https://issuer.example";
const now = Date.parse("2026-01-28T12:00:00Z");
const named = { ...emptyIdentity, name: "ci" };
const claims = (change: Partial<IdentityValues["claimMatch"]>): IdentityValues => ({
  ...named,
  kind: "claims",
  claimMatch: { ...emptyIdentity.claimMatch, issuer, subject: "s", ...change },
});
/** Combines the problems as the form does. `mask`: the update mask of an edit. */
const problems = (
  values: IdentityValues,
  before?: OpenedRecord<Identity, IdentityValues>,
  mask?: readonly string[],
) => {
  const found = problemsOf(identities.request, toBody(values), mask).map(({ field, description }) => ({
    field: formField(field, values),
    description,
  }));
  const all = oncePerField([...ownProblems(values, before, now), ...found]);
  return Object.fromEntries(all.map(({ field, description }) => [field, description]));
};

describe("an empty form", () => {
  const fields = (kind: IdentityValues["kind"]) => Object.keys(problems({ ...emptyIdentity, kind }));

  it("asks for what the kind needs, each at its field", () => {
    expect(fields("github")).toEqual([
      "github.owner",
      "github.repository",
      "github.ownerId",
      "github.repositoryId",
      "name",
    ]);
    expect(fields("claims")).toEqual(["claimMatch.issuer", "claimMatch.subject", "name"]);
    expect(fields("keys")).toEqual([
      "staticKeys.issuer",
      "staticKeys.subject",
      "staticKeys.issuerKeys",
      "name",
    ]);
    expect(fields("aws")).toEqual([
      "awsIdentity.awsAccount",
      "awsIdentity.arn",
      "awsIdentity.userId",
      "name",
    ]);
    expect(fields("service")).toEqual(["servicePrincipal", "name"]);
  });
});

describe("what was entered", () => {
  const github = {
    owner: "acme",
    ownerId: "1",
    repository: "api",
    repositoryId: "2",
    trust: "branch" as const,
    refs: emptyIdentity.github.refs,
    withoutIds: false,
  };

  it("passes when it is right", () => {
    expect(problems({ ...named, github })).toEqual({});
    expect(problems(claims({ claims: { env: "x" }, claimPatterns: { env: "x.*" } }))).toEqual({});
  });

  it("is judged like the service does, and where only the person can know it", () => {
    expect(problems({ ...named, github, name: "Build bot ü B" })).toEqual({
      name: "Not allowed in a name: B ü",
    });
    const refs = { branch: "a..b", tag: "", environment: "" };
    expect(problems({ ...named, github: { ...github, refs } })).toHaveProperty(["github.refs.branch"]);
    expect(problems({ ...named, github: { ...github, trust: "tag" } })).toEqual({
      "github.refs.tag": "Enter the tag",
    });
    expect(problems({ ...named, github: { ...github, owner: "acme/api", ownerId: "x" } })).toEqual({
      "github.owner": "Enter only the owner name, as in its URL",
      "github.ownerId": "Use digits only",
    });
    expect(
      problems({ ...named, github: { ...github, ownerId: "", repositoryId: "", withoutIds: true } }),
    ).toEqual({});
    expect(problems(claims({ subject: "x".repeat(1001) }))).toEqual({
      "claimMatch.subject": "must be at most 1000 bytes long",
    });
    expect(problems(claims({ subjectBy: "pattern", subject: "x".repeat(1001) }))).toHaveProperty([
      "claimMatch.subject",
    ]);
    expect(problems(claims({ claims: { env: "" } }))).toEqual({
      "claimMatch.claims": "Enter a value for each claim",
    });
    const aws = { ...emptyIdentity.awsIdentity, awsAccount: "123", arn: "arn:x", userId: "AROA" };
    expect(problems({ ...named, kind: "aws", awsIdentity: aws })).toEqual({
      "awsIdentity.awsAccount": "must be 12 digits",
    });
  });

  it("lets static keys live a year at most, from creation", () => {
    const keys = (expires: string) => ({
      ...named,
      kind: "keys" as const,
      staticKeys: { issuer, subject: "s", issuerKeys: '{"keys":[{"kty":"EC"}]}', expires, audience: "" },
    });
    expect(problems(keys(""))).toEqual({});
    expect(problems(keys("2027-01-28T11:59:00Z"))).toEqual({});
    expect(problems(keys("2027-01-28T12:01:00Z"))).toHaveProperty(["staticKeys.expires"]);
    expect(problems(keys("2026-01-28T11:59:00Z"))).toEqual({
      "staticKeys.expires": "Choose a time in the future",
    });
    expect(latestExpiry("2026-01-01T00:00:00Z", now).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  });
});

describe("an edited identity", () => {
  const stored: Identity = {
    uid,
    name: "CI",
    createTime: "2024-01-01T00:00:00Z",
    staticKeys: {
      issuer,
      subject: "s",
      issuerKeys: "{}",
      expirationTime: "2025-01-01T00:00:00Z",
      audiences: ["one", "two"],
    },
  };
  const values = fromIdentity(stored);
  const before = { record: stored, values };

  it("is not held up by values that it came with", () => {
    expect(problems({ ...values, description: "new" }, before, ["description"])).toEqual({});
  });

  it("is judged by what was changed", () => {
    const staticKeys = { ...values.staticKeys, audience: "one three", expires: "2026-01-01T00:00" };
    const mask = ["name", "staticKeys.audiences", "staticKeys.expirationTime"];
    expect(problems({ ...values, name: "Ci", staticKeys }, before, mask)).toEqual({
      name: "Not allowed in a name: C",
      "staticKeys.audience": "must have at most one audience",
      "staticKeys.expires": "Choose a time in the future",
    });
  });
});

describe("what the service finds", () => {
  it.each([
    ["github", "claimMatch.subject", "github.repository"],
    ["github", "claim_match.subject_pattern", "github.repository"],
    ["github", "claimMatch.issuer", "claimMatch.issuer"],
    ["claims", "identity.claimMatch.issuerPattern", "claimMatch.issuer"],
    ["claims", "claimMatch.subject", "claimMatch.subject"],
    ["claims", "claimMatch.claimPatterns.env", "claimMatch.claimPatterns.env"],
    ["keys", "staticKeys.expirationTime", "staticKeys.expires"],
    ["keys", "staticKeys.audiences[0]", "staticKeys.audience"],
    ["aws", "awsIdentity.userIdPattern", "awsIdentity.userId"],
    ["service", "servicePrincipal", "servicePrincipal"],
  ] as const)("in the form of %s about %s stands at %s", (kind, path, field) => {
    expect(formField(path, { kind })).toBe(field);
  });
});

it("a private key is refused before it is sent", () => {
  expect(keysProblem('{"keys":[{"kty":"EC","crv":"P-256","x":"a","y":"b"}]}')).toBeUndefined();
  expect(keysProblem('{"keys":[{"kty":"EC","d":"secret"}]}')).toMatch(/private key/);
  expect(keysProblem('{"keys":[{"kty":"oct"}]}')).toMatch(/private key/);
  for (const text of ["{", "null", "[]", '{"keys":{}}', '{"keys":[]}', '{"keys":[7]}'])
    expect(keysProblem(text)).toBeDefined();
});

it("knows names that git does not allow", () => {
  expect(["main", "release/*", "v1.2.3", "feature/ünïcode"].map(refProblem)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  for (const ref of ["refs/heads/main", "two words", "a..b", "a:b", "/a", "a/", "a~1"])
    expect(refProblem(ref)).toBeDefined();
});
