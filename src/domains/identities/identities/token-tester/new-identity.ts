import { GITHUB_ISSUER, readGitHubSubject } from "../github";
import { emptyIdentity, type IdentityValues } from "../values";
import type { Token } from "./read-token";

/** The longest name that is suggested. */
const NAME_MAX = 60;

/** A name with the characters that the API takes: `repo:acme@1/api@2:ref:refs/heads/main` is "repo acme 1 api 2 ...". */
const nameFor = (subject: string): string =>
  subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, " ")
    .trim()
    .slice(0, NAME_MAX)
    .trim();

/**
 * What the form of a new identity begins with, so that this token and others of the same subject match: nothing else of
 * the token. `platform`: the audience that needs no rule.
 */
export function identityFor({ issuer, subject, audiences }: Token, platform: string): IdentityValues {
  const audience = audiences.includes(platform) ? "" : (audiences[0] ?? "");
  const rule = { ...emptyIdentity.claimMatch, issuer, subject, audience };
  const github = issuer === GITHUB_ISSUER ? readGitHubSubject({ subject }) : undefined;
  if (!github) return { ...emptyIdentity, kind: "claims", name: nameFor(subject), claimMatch: rule };
  const { owner, repository } = github;
  return {
    ...emptyIdentity,
    kind: "github",
    name: nameFor(`${owner} ${repository}`),
    github,
    claimMatch: rule,
  };
}
