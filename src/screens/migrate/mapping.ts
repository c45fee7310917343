import type { Identity, IdentityInput } from "~/contract/iam/identities";
import { isPerson } from "~/contract/iam/people";
import { escapePattern, hasRef, readGitHub, type GitHubValues } from "~/features/identities/github";
import { isClient } from "~/features/identities/words";
import { issuerOf } from "~/screens/identities/change-issuer";
import { presetRule } from "~/screens/identities/presets/fill";

/** What moves: jobs to another CI system, repositories to another owner, or the system to another address. */
export const MOVES = ["gitlab", "owner", "issuer"] as const;
export type Move = (typeof MOVES)[number];

/** As filled in, right or wrong. */
export interface Mapping {
  readonly move: Move;
  /** The identities with exactly this issuer move. */
  readonly issuer: string;
  /** The new issuer; for GitLab its address. */
  readonly newIssuer: string;
  /** The owner on GitHub, or the first part of a path on GitLab. */
  readonly owner: string;
  /** The new owner; for GitLab the path of a group. */
  readonly newOwner: string;
  /** Ends the names of the new identities. */
  readonly suffix: string;
}

type ClaimMatch = NonNullable<Identity["claimMatch"]>;
type Rule = Pick<IdentityInput, "claimMatch" | "staticKeys">;

/** The new rule with what to know about it, or why there is none. */
export type Proposal =
  | { readonly rule: Rule; readonly notes: readonly string[] }
  | { readonly problem: string };

const problem = (text: string): Proposal => ({ problem: text });

/** Why an identity can't move, whatever the mapping; undefined if it can. */
export function fixed(identity: Identity): string | undefined {
  if (isPerson(identity.uid)) return "People move with their identity provider";
  if (isClient(identity)) return "Clients of the service have no rule of their own";
  if (identity.awsIdentity) return "It signs in with AWS, whose rules have no issuer";
  if (identity.servicePrincipal !== undefined) return "It is a service of the platform";
  if (identity.claimMatch?.issuerPattern !== undefined)
    return "Its rule has a pattern for the issuer. Change it by hand";
  return issuerOf(identity) === undefined ? "This console doesn't know its type" : undefined;
}

/** `sub` of GitLab's ID tokens: `project_path:GROUP/PROJECT:ref_type:TYPE:ref:NAME` (docs.gitlab.com, "OpenID Connect"). */
function gitLabRule({ owner, repository, trust, refs }: GitHubValues, mapping: Mapping): Proposal {
  const project = `${mapping.newOwner.trim() || owner}/${repository}`;
  const issuer = mapping.newIssuer.trim();
  const byPath = `It names the path ${project}: whoever owns that path later has this access.`;
  if (trust === "pull_request")
    return problem("GitLab's tokens don't tell merge requests from branches. Create its rule by hand");
  if (trust === "any")
    return {
      rule: { claimMatch: { issuer, subjectPattern: `${escapePattern(`project_path:${project}:`)}.*` } },
      notes: [byPath, "Any branch, tag and merge request, as before."],
    };
  const name = refs[trust];
  const entered = { issuer, project, type: trust === "tag" ? "tag" : "branch", ref: name };
  const written = (ref: string) =>
    presetRule({ provider: "gitlab", fields: { gitlab: { ...entered, ref } } }, "").claimMatch ?? {};
  if (hasRef(trust) && trust === "environment")
    return {
      rule: { claimMatch: { ...written("*"), claims: { environment: name } } },
      notes: [
        byPath,
        "Only jobs on branches: tags that deploy to this environment need a rule of their own.",
      ],
    };
  return { rule: { claimMatch: written(name) }, notes: [byPath] };
}

function toGitLab({ claimMatch }: Identity, mapping: Mapping): Proposal {
  if (!claimMatch) return problem("Its tokens aren't GitHub's: it has static keys");
  const { claims, claimPatterns, ...plain } = claimMatch;
  const more = Object.keys({ ...claims, ...claimPatterns });
  if (more.length > 0)
    return problem(
      `It also requires ${more.join(", ")}, which GitLab's tokens don't have. Create it by hand`,
    );
  if (plain.audiencePattern !== undefined)
    return problem("Its audience is a pattern. Create its rule by hand");
  const values = readGitHub(plain);
  if (!values)
    return problem("Its subject isn't one that GitHub's tokens have by default. Create it by hand");
  const proposal = gitLabRule(values, mapping);
  if ("problem" in proposal || plain.audience === undefined) return proposal;
  return {
    rule: { claimMatch: { ...proposal.rule.claimMatch, audience: plain.audience } },
    notes: [...proposal.notes, `Jobs must request the audience ${plain.audience}.`],
  };
}

/** Claims that begin with the owner: alone, or before a path. */
const OWNED = new Set([
  "repository",
  "repository_owner",
  "job_workflow_ref",
  "workflow_ref",
  "project_path",
  "namespace_path",
  "ci_config_ref_uri",
]);

/** Replaces the owner at the start of a text; undefined if it isn't there. IDs of GitHub (`acme@1/app@2`) stay. */
function renamed(text: string, owner: string, newOwner: string): string | undefined {
  if (text === owner) return newOwner;
  const rest = text.startsWith(owner) ? text.slice(owner.length) : undefined;
  return rest !== undefined && /^(?:@\d+)?\//.test(rest) ? newOwner + rest : undefined;
}

/** The same after the word that begins a subject. */
function renamedSubject(subject: string, owner: string, newOwner: string): string | undefined {
  const [, start = "", rest = ""] = /^(\^?(?:repo|project_path):)(.*)$/s.exec(subject) ?? [];
  const path = start === "" ? undefined : renamed(rest, owner, newOwner);
  return path === undefined ? undefined : start + path;
}

function toOwner({ claimMatch }: Identity, { owner, newOwner }: Mapping): Proposal {
  if (!claimMatch) return problem("It has static keys, which name no owner");
  const [from, to] = [owner.trim(), newOwner.trim()];
  const [fromPattern, toPattern] = [escapePattern(from), escapePattern(to)];
  let changed = false;
  const change = (text: string | undefined, next: string | undefined): string | undefined => {
    if (next !== undefined) changed = true;
    return next ?? text;
  };
  const { subject, subjectPattern, claims, claimPatterns } = claimMatch;
  const owned = (texts: Readonly<Record<string, string>>, before: string, after: string) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        (OWNED.has(name) ? change(text, renamed(text, before, after)) : text) ?? text,
      ]),
    );
  const rule: ClaimMatch = {
    ...claimMatch,
    ...(subject !== undefined && { subject: change(subject, renamedSubject(subject, from, to)) }),
    ...(subjectPattern !== undefined && {
      subjectPattern: change(subjectPattern, renamedSubject(subjectPattern, fromPattern, toPattern)),
    }),
    ...(claims && { claims: owned(claims, from, to) }),
    ...(claimPatterns && { claimPatterns: owned(claimPatterns, fromPattern, toPattern) }),
  };
  return changed
    ? { rule: { claimMatch: rule }, notes: [] }
    : problem(`Its rule doesn't begin with ${from}/`);
}

function toIssuer({ claimMatch, staticKeys }: Identity, { newIssuer }: Mapping): Proposal {
  const issuer = newIssuer.trim();
  if (claimMatch) return { rule: { claimMatch: { ...claimMatch, issuer } }, notes: [] };
  if (!staticKeys) return problem("Its rule doesn't name an issuer");
  return {
    rule: { staticKeys: { ...staticKeys, issuer } },
    notes: ["It has the same keys: whoever holds their private part can sign in as both."],
  };
}

const PROPOSE = { gitlab: toGitLab, owner: toOwner, issuer: toIssuer };

/** The rule that an identity would have after the move. */
export function propose(identity: Identity, mapping: Mapping): Proposal {
  const why = fixed(identity);
  return why === undefined ? PROPOSE[mapping.move](identity, mapping) : problem(why);
}
