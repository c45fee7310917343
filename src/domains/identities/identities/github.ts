import type { Identity } from "platform-contract/iam/identities";

/** The issuer of GitHub Actions tokens on github.com. */
export const GITHUB_ISSUER = "https://token.actions.githubusercontent.com";

/** Which workflows of a repository to allow. */
export const GITHUB_TRUSTS = ["branch", "tag", "environment", "pull_request", "any"] as const;
export type GitHubTrust = (typeof GITHUB_TRUSTS)[number];

/** The owner and the repository in `acme/api`, or in an address of it to browse or clone; undefined in any other text. */
export function splitRepository(
  text: string,
): { readonly owner: string; readonly repository: string } | undefined {
  const [, owner, repository] =
    /^(?:https?:\/\/github\.com\/|(?:ssh:\/\/)?git@github\.com[:/])?([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/.*)?$/.exec(
      text.trim(),
    ) ?? [];
  return owner && repository ? { owner, repository } : undefined;
}

/** The ones that have a name. */
export type GitHubRef = "branch" | "tag" | "environment";

export interface GitHubValues {
  owner: string;
  /** GitHub's numeric id; "" only with `withoutIds`. */
  ownerId: string;
  repository: string;
  repositoryId: string;
  trust: GitHubTrust;
  /** Names; a `*` in a branch or tag is a wildcard (no ref contains one). */
  refs: Record<GitHubRef, string>;
  /** Use the subject format of older repositories: only names, which someone else can take over. */
  withoutIds: boolean;
}

export const emptyGitHub: GitHubValues = {
  owner: "",
  ownerId: "",
  repository: "",
  repositoryId: "",
  trust: "branch",
  refs: { branch: "main", tag: "", environment: "" },
  withoutIds: false,
};

/** Exactly one of the two. */
export interface SubjectMatch {
  subject?: string;
  subjectPattern?: string;
}

/** Escapes a text to a regular expression (RE2) that matches only this text. */
export const escapePattern = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&");

/** True if the subject ends in a name. */
export const hasRef = (trust: GitHubTrust): trust is GitHubRef =>
  trust === "branch" || trust === "tag" || trust === "environment";

const PREFIXES: Record<GitHubTrust, string> = {
  branch: "ref:refs/heads/",
  tag: "ref:refs/tags/",
  environment: "environment:",
  pull_request: "pull_request",
  any: "",
};

/**
 * Returns the `sub` claim of GitHub's tokens: `repo:OWNER@OWNER-ID/REPO@REPO-ID:<context>`, with ":" in a name encoded
 * as %3A (docs.github.com, "OpenID Connect reference").
 */
export function githubSubject(values: GitHubValues): SubjectMatch {
  const { owner, ownerId, repository, repositoryId, trust, refs, withoutIds } = values;
  const named = (name: string, id: string) => (withoutIds ? name.trim() : `${name.trim()}@${id.trim()}`);
  const start = `repo:${named(owner, ownerId)}/${named(repository, repositoryId)}:${PREFIXES[trust]}`;
  if (trust === "any") return { subjectPattern: `${escapePattern(start)}.*` };
  if (!hasRef(trust)) return { subject: start };
  const name = refs[trust].trim().replaceAll(":", "%3A");
  if (trust === "environment" || !name.includes("*")) return { subject: start + name };
  return { subjectPattern: escapePattern(start) + name.split("*").map(escapePattern).join(".*") };
}

const SUBJECT = /^repo:([^@/:]+)(?:@(\d+))?\/([^@/:]+)(?:@(\d+))?:(.*)$/s;

/** Parses a subject or pattern to the preset's values; undefined unless the preset would write it exactly. */
export function readGitHubSubject({ subject, subjectPattern }: SubjectMatch): GitHubValues | undefined {
  // Apart from the preset's own wildcards, everything in its patterns is escaped.
  const text = subject ?? subjectPattern?.replaceAll(".*", "*").replaceAll(/\\(.)/g, "$1");
  const [, owner = "", ownerId = "", repository = "", repositoryId = "", context = ""] =
    SUBJECT.exec(text ?? "") ?? [];
  const all = subjectPattern !== undefined && context === "*";
  const trust = GITHUB_TRUSTS.find((each) => each !== "any" && context.startsWith(PREFIXES[each]));
  if (owner === "" || (!all && !trust)) return undefined;
  const kind = all ? "any" : (trust ?? "any");
  const name = trust && !all ? context.slice(PREFIXES[trust].length).replaceAll("%3A", ":") : "";
  const values: GitHubValues = {
    owner,
    ownerId,
    repository,
    repositoryId,
    trust: kind,
    refs: { ...emptyGitHub.refs, ...(hasRef(kind) && { [kind]: name }) },
    withoutIds: ownerId === "" && repositoryId === "",
  };
  const written = githubSubject(values);
  const same = written.subject === subject && written.subjectPattern === subjectPattern;
  return same ? values : undefined;
}

/** Parses claims to the preset's values; undefined unless the preset can write them without loss. */
export function readGitHub(match: NonNullable<Identity["claimMatch"]>): GitHubValues | undefined {
  const { issuer, subject, subjectPattern, audience: _, ...more } = match;
  const plain = Object.values(more).every(
    (value) => value === undefined || Object.keys(Object(value)).length === 0,
  );
  if (issuer !== GITHUB_ISSUER || !plain) return undefined;
  return readGitHubSubject({
    ...(subject !== undefined && { subject }),
    ...(subjectPattern !== undefined && { subjectPattern }),
  });
}

/** `acme/api@main`: the subject in a row whose type already says GitHub Actions. */
export function githubLine({ owner, repository, trust, refs }: GitHubValues): string {
  const start = `${owner}/${repository}`;
  if (trust === "branch") return `${start}@${refs.branch}`;
  if (trust === "tag") return `${start}@refs/tags/${refs.tag}`;
  if (trust === "environment") return `${start}:environment:${refs.environment}`;
  return `${start}:${trust === "any" ? "*" : trust}`;
}
