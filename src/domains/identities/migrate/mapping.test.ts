import { expect, test } from "vitest";

import type { Identity } from "platform-contract/iam/identities";
import { GITHUB_ISSUER } from "~/domains/identities/identities/github";

import { propose } from "./mapping";
import type { RuleMapping } from "./proposal";

const GITLAB: RuleMapping = {
  move: "gitlab",
  issuer: GITHUB_ISSUER,
  newIssuer: "https://gitlab.com",
  owner: "",
  newOwner: "",
  suffix: "-gitlab",
};

const github = (rule: object, more: object = {}): Identity => ({
  uid: "aa/bb",
  name: "ci",
  claimMatch: { issuer: GITHUB_ISSUER, ...rule },
  ...more,
});

const ruleOf = (identity: Identity, mapping: RuleMapping) => {
  const proposal = propose(identity, mapping);
  return "problem" in proposal ? proposal.problem : proposal.rule;
};

// Subjects as in docs.github.com, "OpenID Connect reference", and docs.gitlab.com, "OpenID Connect (OIDC) authentication".
test.each([
  [
    { subject: "repo:acme/api:ref:refs/heads/main" },
    { subject: "project_path:acme/api:ref_type:branch:ref:main" },
  ],
  [
    { subject: "repo:acme@12/api@34:ref:refs/heads/main" },
    { subject: "project_path:acme/api:ref_type:branch:ref:main" },
  ],
  [
    { subject: "repo:acme/api:ref:refs/tags/v1.2" },
    { subject: "project_path:acme/api:ref_type:tag:ref:v1.2" },
  ],
  [
    { subjectPattern: "repo:acme/api:ref:refs/heads/release/.*" },
    { subjectPattern: "project_path:acme/api:ref_type:branch:ref:release/[^:]*" },
  ],
  [
    { subject: "repo:acme/api:environment:production" },
    { subjectPattern: "project_path:acme/api:.*", claims: { environment: "production" } },
  ],
  [
    { subject: "repo:acme/api:pull_request" },
    { subjectPattern: "project_path:acme/api:.*", claims: { pipeline_source: "merge_request_event" } },
  ],
  [{ subjectPattern: "repo:acme/a\\.b:.*" }, { subjectPattern: "project_path:acme/a\\.b:.*" }],
])("%j becomes %j on GitLab", (rule, expected) => {
  expect(ruleOf(github(rule), GITLAB)).toEqual({
    claimMatch: { issuer: "https://gitlab.com", ...expected },
  });
});

test("keeps the audience, and says that jobs must request it", () => {
  const identity = github({
    subject: "repo:acme/api:ref:refs/heads/main",
    audience: "https://platform.example",
  });
  const proposal = propose(identity, { ...GITLAB, newOwner: "group/acme" });
  expect(proposal).toEqual({
    rule: {
      claimMatch: {
        issuer: "https://gitlab.com",
        subject: "project_path:group/acme/api:ref_type:branch:ref:main",
        audience: "https://platform.example",
      },
    },
    notes: [
      "Whoever owns the path group/acme/api later has this access too.",
      "Jobs must request the audience https://platform.example with aud, as before.",
    ],
  });
});

test("GitHub Enterprise has the same subjects, and its issuer is another", () => {
  const identity = github({
    issuer: "https://github.acme.example/_services/token",
    subject: "repo:acme/api:ref:refs/heads/main",
  });
  expect(ruleOf(identity, GITLAB)).toEqual({
    claimMatch: { issuer: "https://gitlab.com", subject: "project_path:acme/api:ref_type:branch:ref:main" },
  });
});

test.each([
  [
    { subject: "repo:acme/api:ref:refs/heads/main", claims: { actor: "ada" } },
    /also requires actor/,
    "project_path:acme/api:ref_type:branch:ref:main",
  ],
  [{ subjectPattern: "repo:(acme|evil)/api:.*" }, /isn't one that GitHub's tokens have by default/, ""],
  [{ subject: "repository_id:12:workflow:build" }, /isn't one that GitHub's tokens have by default/, ""],
])("leaves a decision to the user: %j", (rule, decision, subject) => {
  const proposal = propose(github(rule), GITLAB);
  expect(proposal).toMatchObject({
    decision: expect.stringMatching(decision) as string,
    rule: { claimMatch: { issuer: "https://gitlab.com", subject } },
  });
});

const AWS = { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/x", userId: "x" };
test.each([
  [
    github({ subject: "repo:acme/api:pull_request", issuer: undefined, issuerPattern: ".*" }),
    /pattern for the issuer/,
  ],
  [
    { uid: "aa/bb", name: "x", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" } as Identity,
    /service of the platform/,
  ],
  [{ uid: "aa/bb", name: "x", awsIdentity: AWS } as Identity, /signs in with AWS/],
  [{ uid: "aa", name: "x" } as Identity, /^People/],
])("says why an identity stays as it is: %j", (identity, why) => {
  expect(ruleOf(identity, GITLAB)).toMatch(why);
});

const RENAMED: RuleMapping = { ...GITLAB, move: "owner", owner: "acme.io", newOwner: "globex" };

test("a renamed owner is replaced in the subject, with its ID, and in claims that begin with it", () => {
  const rule = {
    subject: "repo:acme.io@12/api@34:ref:refs/heads/acme.io",
    claims: { repository_owner: "acme.io", repository: "acme.io/api", actor: "acme.io" },
    claimPatterns: { job_workflow_ref: "acme\\.io/flows/.*" },
  };
  expect(ruleOf(github(rule), RENAMED)).toEqual({
    claimMatch: {
      issuer: GITHUB_ISSUER,
      subject: "repo:globex@12/api@34:ref:refs/heads/acme.io",
      claims: { repository_owner: "globex", repository: "globex/api", actor: "acme.io" },
      claimPatterns: { job_workflow_ref: "globex/flows/.*" },
    },
  });
});

test.each([
  [{ subjectPattern: "^repo:acme\\.io/.*:ref:refs/heads/main$" }, "^repo:globex/.*:ref:refs/heads/main$"],
  [{ subjectPattern: "project_path:acme\\.io/web:.*" }, "project_path:globex/web:.*"],
])("a renamed owner is replaced in the pattern %j", (rule, subjectPattern) => {
  expect(ruleOf(github(rule), RENAMED)).toEqual({ claimMatch: { issuer: GITHUB_ISSUER, subjectPattern } });
});

test.each([
  { subject: "repo:acme.io-labs/api:ref:refs/heads/main" },
  { subject: "repo:other/acme.io:ref:refs/heads/main" },
  // The dot isn't escaped: this pattern is for other owners too.
  { subjectPattern: "repo:acme.io/api:.*" },
])("an owner that only looks the same stays: %j", (rule) => {
  expect(ruleOf(github(rule), RENAMED)).toBe("It doesn't name acme.io/");
});

test("an issuer that moved is the only thing that changes", () => {
  const moved: RuleMapping = { ...GITLAB, move: "issuer", newIssuer: " https://ci.example " };
  const rule = { subjectPattern: "project_path:acme/.*", audiencePattern: ".*", claims: { a: "b" } };
  expect(ruleOf(github(rule), moved)).toEqual({ claimMatch: { issuer: "https://ci.example", ...rule } });
  const keys = { issuer: "https://old.example", subject: "ci", issuerKeys: '{"keys":[]}' };
  expect(ruleOf({ uid: "aa/bb", name: "ci", staticKeys: keys }, moved)).toEqual({
    staticKeys: { ...keys, issuer: "https://ci.example" },
  });
});
