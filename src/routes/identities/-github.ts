/** The issuer of GitHub Actions tokens on github.com. */
export const GITHUB_ISSUER = "https://token.actions.githubusercontent.com";

/** What of a repository is trusted: one context of its workflows, or all of them. */
export const GITHUB_TRUSTS = ["branch", "tag", "environment", "pull_request", "any"] as const;
export type GitHubTrust = (typeof GITHUB_TRUSTS)[number];

export interface GitHubValues {
  owner: string;
  /** GitHub's number of the owner; "" only in the form without ids. */
  ownerId: string;
  repository: string;
  repositoryId: string;
  trust: GitHubTrust;
  /** Name of the branch, tag or environment; a `*` in a branch or tag stands for any text (no ref contains one). */
  ref: string;
  /** The subject of older repositories: names alone, which another owner can come to have. */
  withoutIds: boolean;
}

export const emptyGitHub: GitHubValues = {
  owner: "",
  ownerId: "",
  repository: "",
  repositoryId: "",
  trust: "branch",
  ref: "main",
  withoutIds: false,
};

/** Exactly one of both, as the API wants it (contract 1.2, oneof `sub`). */
export interface SubjectMatch {
  subject?: string;
  subjectPattern?: string;
}

/** A text as a regular expression (RE2) that matches it alone. */
export const escapePattern = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&");

/** Whether the subject comes from a name that the person gives. */
export const hasRef = (trust: GitHubTrust): boolean => trust === "branch" || trust === "tag" || trust === "environment";

const PREFIXES: Record<GitHubTrust, string> = {
  branch: "ref:refs/heads/",
  tag: "ref:refs/tags/",
  environment: "environment:",
  pull_request: "pull_request",
  any: "",
};

/**
 * The `sub` claim of GitHub's tokens: `repo:OWNER@OWNER-ID/REPO@REPO-ID:<context>`, with every ":" of a name written
 * as %3A (docs.github.com, "OpenID Connect reference").
 */
export function githubSubject(values: GitHubValues): SubjectMatch {
  const { owner, ownerId, repository, repositoryId, trust, ref, withoutIds } = values;
  const named = (name: string, id: string) => (withoutIds ? name.trim() : `${name.trim()}@${id.trim()}`);
  const start = `repo:${named(owner, ownerId)}/${named(repository, repositoryId)}:${PREFIXES[trust]}`;
  if (trust === "any") return { subjectPattern: `${escapePattern(start)}.*` };
  if (!hasRef(trust)) return { subject: start };
  const name = ref.trim().replaceAll(":", "%3A");
  if (trust === "environment" || !name.includes("*")) return { subject: start + name };
  return { subjectPattern: escapePattern(start) + name.split("*").map(escapePattern).join(".*") };
}

const SUBJECT = /^repo:([^@/:]+)(?:@(\d+))?\/([^@/:]+)(?:@(\d+))?:(.*)$/s;

/**
 * The preset's values for a subject or pattern that the preset would write just so; undefined for any other, which
 * is edited as claims.
 */
export function readGitHubSubject({ subject, subjectPattern }: SubjectMatch): GitHubValues | undefined {
  // A star that the preset wrote for any text is the only thing in a pattern that is not an escaped character.
  const text = subject ?? subjectPattern?.replaceAll(".*", "*").replaceAll(/\\(.)/g, "$1");
  const [, owner = "", ownerId = "", repository = "", repositoryId = "", context = ""] = SUBJECT.exec(text ?? "") ?? [];
  const all = subjectPattern !== undefined && context === "*";
  const trust = GITHUB_TRUSTS.find((each) => each !== "any" && context.startsWith(PREFIXES[each]));
  if (owner === "" || (!all && !trust)) return undefined;
  const values: GitHubValues = {
    owner,
    ownerId,
    repository,
    repositoryId,
    trust: all ? "any" : (trust ?? "any"),
    ref: all || !trust ? "" : context.slice(PREFIXES[trust].length).replaceAll("%3A", ":"),
    withoutIds: ownerId === "" && repositoryId === "",
  };
  const written = githubSubject(values);
  const same = written.subject === subject && written.subjectPattern === subjectPattern;
  return same ? values : undefined;
}

/** Why a branch or tag cannot be called that (git-check-ref-format); undefined for one that can, a `*` included. */
export function refProblem(ref: string): string | undefined {
  if (ref.startsWith("refs/")) return "Only the name: main, not refs/heads/main";
  const wrong = /[\s~^:?[\\\p{Cc}]|\.\.|\/\/|@\{|^[/.]|[/.]$/u.exec(ref);
  return wrong ? "Git allows no such name" : undefined;
}
