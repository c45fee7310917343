import type { Identity } from "platform-contract/iam/identities";
import {
  escapePattern,
  hasRef,
  readGitHubSubject,
  type GitHubValues,
} from "~/domains/identities/identities/github";
import { presetRule } from "~/domains/identities/identities/presets/fill";

import { problem, type ClaimMatch, type Mapping, type Proposal } from "./proposal";

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
export function toGitLab({ claimMatch }: Identity, mapping: Mapping): Proposal {
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
      decision: `It also requires ${required.join(", ")}, as GitHub calls it. Decide what of that GitLab's tokens have.`,
    }),
  };
}
