import { describe, expect, it } from "vitest";

import type { IdentityInput } from "~/contract/iam/identities";

import { formField, inForm } from "./aliases";
import { identitySchema, latestExpiry, problemsOf } from "./problems";
import { emptyIdentity, fromIdentity, localTime, toBody, type IdentityValues } from "./values";
import { keysProblem } from "./keys-problem";

const parent = "a".repeat(40);
const uid = `${parent}/${"b".repeat(16)}`;
const issuer = "https://issuer.example";
const now = Date.parse("2026-01-28T12:00:00Z");
const creating = { before: undefined, createTime: undefined };

const named = { ...emptyIdentity, parent, name: "ci" };
const claims = (change: Partial<IdentityValues["claimMatch"]>): IdentityValues => ({
  ...named,
  kind: "claims",
  claimMatch: { ...emptyIdentity.claimMatch, issuer, subject: "s", ...change },
});
const problems = (values: IdentityValues, judged: Parameters<typeof problemsOf>[1] = creating) =>
  Object.fromEntries(problemsOf(values, judged, now).map(({ field, description }) => [field, description]));

describe("an empty form", () => {
  const fields = (kind: IdentityValues["kind"]) => Object.keys(problems({ ...emptyIdentity, kind }));

  it("asks for what the kind needs, each at its field", () => {
    expect(fields("github")).toEqual([
      "name",
      "parent",
      "github.owner",
      "github.repository",
      "github.ownerId",
      "github.repositoryId",
    ]);
    expect(fields("claims")).toEqual(["name", "parent", "claimMatch.issuer", "claimMatch.subject"]);
    expect(fields("keys")).toEqual([
      "name",
      "parent",
      "staticKeys.issuer",
      "staticKeys.subject",
      "staticKeys.issuerKeys",
    ]);
    expect(fields("aws")).toEqual([
      "name",
      "parent",
      "awsIdentity.awsAccount",
      "awsIdentity.arn",
      "awsIdentity.userId",
    ]);
    expect(fields("service")).toEqual(["name", "parent", "servicePrincipal"]);
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
      "github.owner": "Only the owner's name, as in its address",
      "github.ownerId": "Digits only",
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
      "claimMatch.claims": "Give each claim a value",
    });
    const aws = { ...emptyIdentity.awsIdentity, awsAccount: "123", arn: "arn:x", userId: "AROA" };
    expect(problems({ ...named, kind: "aws", awsIdentity: aws })).toEqual({
      "awsIdentity.awsAccount": "awsAccount must be 12 digits",
    });
  });

  it("lets static keys live a year at most, from creation", () => {
    const keys = (expires: string) => ({
      ...named,
      kind: "keys" as const,
      staticKeys: { issuer, subject: "s", issuerKeys: '{"keys":[{"kty":"EC"}]}', expires, audience: "" },
    });
    expect(problems(keys(""))).toEqual({});
    expect(problems(keys(localTime("2027-01-28T11:59:00Z")))).toEqual({});
    expect(problems(keys(localTime("2027-01-28T12:01:00Z")))).toHaveProperty(["staticKeys.expires"]);
    expect(problems(keys(localTime("2026-01-28T11:59:00Z")))).toEqual({
      "staticKeys.expires": "In the future",
    });
    expect(latestExpiry("2026-01-01T00:00:00Z", now).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  });
});

describe("an edited identity", () => {
  const body: IdentityInput = {
    name: "ci",
    staticKeys: { issuer, subject: "s", issuerKeys: "{}", audiences: ["one", "two"] },
  };
  const opened = fromIdentity({ uid, ...body });
  const judged = { before: toBody(opened), createTime: "2026-01-01T00:00:00Z" };

  it("is not held up by values that it came with", () => {
    expect(problems({ ...opened, name: "renamed" }, judged)).not.toHaveProperty(["staticKeys.audience"]);
    expect(
      problems({ ...opened, staticKeys: { ...opened.staticKeys, audience: "one three" } }, judged),
    ).toMatchObject({
      "staticKeys.audience": "must have at most one audience",
    });
  });
});

it("the schema gives the body, and the form's own field names", () => {
  const schema = identitySchema(creating);
  expect(schema.safeParse(claims({})).data).toEqual({ name: "ci", claimMatch: { issuer, subject: "s" } });
  const refused = schema.safeParse(claims({ issuer: "" }));
  expect(refused.error?.issues.map(({ path }) => path.join("."))).toEqual(["claimMatch.issuer"]);
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
    expect(formField(kind, path)).toBe(field);
  });

  it("keeps its words and the request's id", () => {
    const error = {
      message: "Invalid argument",
      requestId: "r1",
      violations: [{ field: "name", description: "no" }],
    };
    expect(inForm("github", error)).toMatchObject(error);
  });
});

it("a private key is refused before it is sent", () => {
  expect(keysProblem('{"keys":[{"kty":"EC","crv":"P-256","x":"a","y":"b"}]}')).toBeUndefined();
  expect(keysProblem('{"keys":[{"kty":"EC","d":"secret"}]}')).toMatch(/private key/);
  expect(keysProblem('{"keys":[{"kty":"oct"}]}')).toMatch(/private key/);
  for (const text of ["{", "null", "[]", '{"keys":{}}', '{"keys":[]}', '{"keys":[7]}'])
    expect(keysProblem(text)).toBeDefined();
});
