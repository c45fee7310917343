import type { Identity } from "platform-contract/iam/identities";
import {
  escapePattern,
  hasRef,
  readGitHubSubject,
  type GitHubValues,
} from "~/domains/identities/identities/github";
import { presetRule } from "~/domains/identities/identities/presets/fill";

import { fixed } from "./fixed";
import { problem, type RuleMapping, type Proposal, type ClaimMatch } from "./proposal";

/** What a trust of GitHub's is on GitLab, for one project. */
function gitLabMatch(
  { trust, refs }: GitHubValues,
  issuer: string,
  project: string,
): { readonly match: ClaimMatch; readonly notes: readonly string[] } {
  const written = (type: "branch" | "tag", ref: string): ClaimMatch =>
    presetRule({ provider: "gitlab", fields: { gitlab: { issuer, project, type, ref } } }, "").claimMatch ??
    {};
  // Jobs of any branch or tag: claims tell them apart where GitHub has a subject of its own.
  const anyRef: ClaimMatch = { issuer, subjectPattern: `${escapePattern(`project_path:${project}:`)}.*` };
  if (!hasRef(trust))
    return trust === "any"
      ? { match: anyRef, notes: ["Any branch, tag and merge request, as before."] }
      : {
          match: { ...anyRef, claims: { pipeline_source: "merge_request_event" } },
          notes: ["Merge request pipelines. For those of a fork, GitLab names the fork's project."],
        };
  if (trust === "environment")
    return {
      match: { ...anyRef, claims: { environment: refs.environment } },
      notes: ["Jobs with this environment, of any branch or tag, as before."],
    };
  return { match: written(trust, refs[trust]), notes: [] };
}

/** `sub` of GitLab's ID tokens: `project_path:GROUP/PROJECT:ref_type:TYPE:ref:NAME` (docs.gitlab.com, "OpenID Connect"). */
function toGitLab({ claimMatch }: Identity, mapping: RuleMapping): Proposal {
  if (!claimMatch) return problem("It has static keys, so its tokens aren't GitHub's");
  const { subject, subjectPattern, audience, audiencePattern, claims, claimPatterns } = claimMatch;
  const issuer = mapping.newIssuer.trim();
  const audiences = {
    ...(audience !== undefined && { audience }),
    ...(audiencePattern !== undefined && { audiencePattern }),
  };
  const requested = audience ?? audiencePattern;
  const notes =
    requested === undefined ? [] : [`Jobs must request the audience ${requested} with aud, as before.`];
  const values = readGitHubSubject({
    ...(subject !== undefined && { subject }),
    ...(subjectPattern !== undefined && { subjectPattern }),
  });
  if (!values)
    return {
      rule: { claimMatch: { issuer, subject: "", ...audiences } },
      notes,
      decision: "Its subject isn't one that GitHub's tokens have by default. Enter the subject on GitLab.",
    };
  const project = `${mapping.newOwner.trim() || values.owner}/${values.repository}`;
  const { match, notes: more } = gitLabMatch(values, issuer, project);
  const required = Object.keys({ ...claims, ...claimPatterns });
  return {
    rule: { claimMatch: { ...match, ...audiences } },
    notes: [...more, `Whoever owns the path ${project} later has this access too.`, ...notes],
    ...(required.length > 0 && {
      decision: `It also requires ${required.join(", ")}, in GitHub's terms. Decide which of these GitLab's tokens have.`,
    }),
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

/** The same rule with another owner, in the subject and in claims that begin with it. */
function toOwner({ claimMatch }: Identity, { owner, newOwner }: RuleMapping): Proposal {
  if (!claimMatch) return problem("It has static keys, which name no owner");
  const [from, to] = [owner.trim(), newOwner.trim()];
  const [fromPattern, toPattern] = [escapePattern(from), escapePattern(to)];
  let changed = false;
  const change = (text: string, next: string | undefined): string => {
    if (next !== undefined) changed = true;
    return next ?? text;
  };
  const { subject, subjectPattern, claims, claimPatterns } = claimMatch;
  const owned = (texts: Readonly<Record<string, string>>, before: string, after: string) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        OWNED.has(name) ? change(text, renamed(text, before, after)) : text,
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
  if (!changed || from === "")
    return problem(from === "" ? "No owner is chosen" : `It doesn't name ${from}/`);
  const withIds = /@\d+\//.test(subject ?? subjectPattern ?? "");
  return {
    rule: { claimMatch: rule },
    notes: withIds ? ["The owner's ID problem, as after a rename. Another owner has another ID."] : [],
  };
}

function toIssuer({ claimMatch, staticKeys }: Identity, { newIssuer }: RuleMapping): Proposal {
  const issuer = newIssuer.trim();
  if (claimMatch) return { rule: { claimMatch: { ...claimMatch, issuer } }, notes: [] };
  if (!staticKeys) return problem("Its rule doesn't name an issuer");
  if (Date.parse(staticKeys.expirationTime ?? "") <= Date.now()) return problem("Its keys have expired");
  return {
    rule: { staticKeys: { ...staticKeys, issuer } },
    notes: ["It has the same keys: whoever holds their private half can sign in as both."],
  };
}

const PROPOSE = { gitlab: toGitLab, owner: toOwner, issuer: toIssuer };

/** The rule that an identity would have after the move. */
export function propose(identity: Identity, mapping: RuleMapping): Proposal {
  const why = fixed(identity);
  return why === undefined ? PROPOSE[mapping.move](identity, mapping) : problem(why);
}
