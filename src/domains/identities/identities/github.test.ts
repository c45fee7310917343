import { describe, expect, it } from "vitest";

import {
  emptyGitHub,
  escapePattern,
  githubSubject,
  readGitHubSubject,
  splitRepository,
  type GitHubValues,
} from "./github";

const acme: GitHubValues = {
  ...emptyGitHub,
  owner: "acme",
  ownerId: "123456",
  repository: "api.core",
  repositoryId: "456789",
};
const repo = "repo:acme@123456/api.core@456789:";
const escaped = "repo:acme@123456/api\\.core@456789:";

const named = (trust: "branch" | "tag" | "environment", name: string) => ({
  trust,
  refs: { ...emptyGitHub.refs, [trust]: name },
});
const cases: [string, Partial<GitHubValues>, ReturnType<typeof githubSubject>][] = [
  ["a branch", named("branch", "dev"), { subject: `${repo}ref:refs/heads/dev` }],
  ["a tag", named("tag", "v1.2+3"), { subject: `${repo}ref:refs/tags/v1.2+3` }],
  ["an environment", named("environment", "prod:eu *"), { subject: `${repo}environment:prod%3Aeu *` }],
  ["pull requests", { trust: "pull_request" }, { subject: `${repo}pull_request` }],
  ["any workflow", { trust: "any" }, { subjectPattern: `${escaped}.*` }],
  ["tags by a star", named("tag", "v*.0"), { subjectPattern: `${escaped}ref:refs/tags/v.*\\.0` }],
  [
    "names alone",
    { withoutIds: true, ownerId: "", repositoryId: "" },
    { subject: "repo:acme/api.core:ref:refs/heads/main" },
  ],
];

describe("the subject of GitHub's tokens", () => {
  it.each(cases)("of %s is written", (_what, change, match) => {
    expect(githubSubject({ ...acme, ...change })).toEqual(match);
  });

  it.each(cases)("of %s is read back as it was", (_what, change, match) => {
    expect(readGitHubSubject(match)).toEqual({ ...acme, ...change });
  });

  it("matches only its repository as a pattern", () => {
    const pattern = new RegExp(`^(?:${githubSubject({ ...acme, trust: "any" }).subjectPattern})$`);
    expect(pattern.test(`${repo}ref:refs/heads/main`)).toBe(true);
    expect(pattern.test("repo:acme@123456/apixcore@456789:ref:refs/heads/main")).toBe(false);
  });

  it.each([
    { subject: "system:serviceaccount:team:deployer" },
    { subject: `${repo}workflow:deploy` },
    { subject: "repo:acme@1/api:ref:refs/heads/main" },
    { subject: `${repo}ref:refs/heads/release/*` },
    { subject: `${repo}pull_request_target` },
    { subjectPattern: `${repo}.*` },
    { subjectPattern: `${escaped}ref:refs/heads/(main|dev)` },
    { subjectPattern: `${escaped}ref:refs/heads/main` },
    {},
  ])("is not made up where the preset would write it otherwise: %j", (match) => {
    expect(readGitHubSubject(match)).toBeUndefined();
  });
});

it("escapes pattern characters", () => {
  expect(
    new RegExp(`^${escapePattern("a.b+c(d)[e]{2}|f^g$h\\i?*")}$`).test("a.b+c(d)[e]{2}|f^g$h\\i?*"),
  ).toBe(true);
});

it("splits an owner and a repository that were pasted together, and nothing else", () => {
  for (const text of [
    "acme/api.core",
    " https://github.com/acme/api.core ",
    "https://github.com/acme/api.core/tree/main",
    "git@github.com:acme/api.core.git",
    "ssh://git@github.com/acme/api.core.git",
  ])
    expect([text, splitRepository(text)]).toEqual([text, { owner: "acme", repository: "api.core" }]);
  for (const text of ["", "acme", "acme/", "/api", "https://example.com/acme/api", "a b/c"])
    expect([text, splitRepository(text)]).toEqual([text, undefined]);
});
