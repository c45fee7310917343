import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";

import { identities } from "platform-contract/iam/identities";

import { emptyPreset, isFilled, presetProblems, presetRule } from "./fill";
import { PRESETS } from "./presets";

const ID = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
const OTHER = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";

const ruleOf = (provider: string, entered: Record<string, string>, audience = "") => {
  const fields = { ...emptyPreset.fields, [provider]: { ...emptyPreset.fields[provider], ...entered } };
  const values = { provider, fields };
  return { ...presetRule(values, audience), filled: isFilled(values), problems: presetProblems(values) };
};

/** Entered values, a matching subject from the provider's documentation, and one that must not match. */
const TOKENS: readonly [provider: string, entered: Record<string, string>, sub: string, not: string][] = [
  [
    "gitlab",
    { project: "acme/app", ref: "release/*" },
    "project_path:acme/app:ref_type:branch:ref:release/1.0",
    "project_path:acme/app:ref_type:branch:ref:release/1.0:x",
  ],
  [
    "github-enterprise",
    { issuer: "https://github.acme.example/_services/token", repository: "acme/app", ref: "release/*" },
    "repo:acme/app:ref:refs/heads/release/1.0",
    "repo:acme/app:ref:refs/heads/release/1.0:x",
  ],
  [
    "kubernetes",
    { issuer: "https://oidc.example/id/1", namespace: "default", account: "deployer" },
    "system:serviceaccount:default:deployer",
    "system:serviceaccount:default:deployer2",
  ],
  ["azure", { tenant: ID, object: OTHER, audience: "api://platform" }, OTHER, ID],
  ["google", { id: "117328450192837465012" }, "117328450192837465012", "117328450192837465013"],
  [
    "bitbucket",
    { workspace: "acme", workspaceId: OTHER, repositoryId: ID },
    `{${ID}}:{${OTHER}}`,
    `{${OTHER}}:{${ID}}`,
  ],
  [
    "buildkite",
    { organization: "acme", pipeline: "app" },
    "organization:acme:pipeline:app:ref:refs/heads/main:commit:9f3182061f1e:step:",
    "organization:acme:pipeline:app:ref:refs/heads/main:commit:x:step:a:step:b",
  ],
  [
    "jenkins",
    { issuer: "https://ci.example/oidc", job: "https://ci.example/job/release/" },
    "https://ci.example/job/release/",
    "https://ci.example/job/release",
  ],
  [
    "circleci",
    { organization: ID, project: OTHER },
    `org/${ID}/project/${OTHER}/user/${ID}/vcs-origin/github.com/acme/app/vcs-ref/refs/heads/main`,
    `org/${ID}/project/${ID}/user/${ID}`,
  ],
];

describe.each(TOKENS)("%s", (provider, entered, sub, not) => {
  const { claimMatch = {}, filled, problems } = ruleOf(provider, entered);
  const { issuer, subject, subjectPattern } = claimMatch;
  const matches = (text: string) =>
    subject === undefined ? RE2JS.compile(subjectPattern ?? "").testExact(text) : subject === text;

  it("makes a rule that the service takes, of the subject that is documented and of no other", () => {
    expect({ filled, problems }).toEqual({ filled: true, problems: [] });
    expect(identities.request.safeParse({ name: "x", claimMatch }).error).toBeUndefined();
    expect(issuer).toMatch(/^https:\/\/[^{}]+$/);
    expect([matches(sub), matches(not)], subject ?? subjectPattern).toEqual([true, false]);
  });

  it("asks for what is missing", () => {
    const empty = ruleOf(provider, {});
    expect(empty.filled).toBe(false);
    expect(empty.problems.every(({ field }) => field.startsWith(`preset.fields.${provider}.`))).toBe(true);
    expect(empty.problems.length).toBeGreaterThan(0);
  });
});

it("a role of AWS is told by its id and any session of it", () => {
  const role = { account: "123456789012", role: "build", roleId: "AROAEXAMPLE" };
  const { awsIdentity } = ruleOf("aws", role);
  expect(awsIdentity).toEqual({
    awsAccount: "123456789012",
    arnPattern: "arn:aws:sts::123456789012:assumed-role/build/[^:/]*",
    userIdPattern: "AROAEXAMPLE:[^:/]*",
  });
  expect(ruleOf("aws", { ...role, session: "i-1" }).awsIdentity).toMatchObject({
    arn: "arn:aws:sts::123456789012:assumed-role/build/i-1",
    userId: "AROAEXAMPLE:i-1",
  });
});

it("optional claims, an audience and the version of Azure's tokens change the rule", () => {
  const gitlab = { project: "acme/app", projectId: "42" };
  expect(ruleOf("gitlab", gitlab, " x ").claimMatch).toMatchObject({
    audience: "x",
    claims: { project_id: "42" },
  });
  expect(ruleOf("gitlab", { ...gitlab, projectId: "" }).claimMatch).not.toHaveProperty("claims");
  const circle = { organization: ID, project: OTHER, ref: "refs/heads/release/*" };
  expect(ruleOf("circleci", circle).claimMatch).toMatchObject({
    audience: ID,
    claimPatterns: { "oidc.circleci.com/vcs-ref": "refs/heads/release/.*" },
  });
  const azure = { tenant: ID, object: OTHER, audience: "a", issuer: "https://sts.windows.net/{tenant}/" };
  expect(ruleOf("azure", azure).claimMatch?.issuer).toBe(`https://sts.windows.net/${ID}/`);
  // Typed text is not a template.
  expect(ruleOf("google", { id: "{email}" }).claimMatch?.subject).toBe("{email}");
});

it("says of each claim what it means, and where that is documented", () => {
  for (const { claims, docs, fields, about } of PRESETS) {
    expect(docs).toMatch(/^https:\/\//);
    expect(claims.length).toBeGreaterThan(1);
    expect(fields.every(({ label }) => label !== "") && about.endsWith(".")).toBe(true);
  }
});
