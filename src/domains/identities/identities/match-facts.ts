import type { Identity } from "platform-contract/iam/identities";

import { hasRef, readGitHub, type GitHubValues } from "./github";
import { serviceLabel } from "./words";

/** One requirement for a token. */
export interface Fact {
  readonly term: string;
  readonly text: string;
  /** Compared exactly or as a pattern; shown in monospace with a copy button. */
  readonly code?: boolean;
}

type Entry = readonly [term: string, text: string | undefined];

const codes = (entries: readonly Entry[]): Fact[] =>
  entries.flatMap(([term, text]) => (text === undefined || text === "" ? [] : [{ term, text, code: true }]));

function claimFacts(match: NonNullable<Identity["claimMatch"]>): Fact[] {
  const { claims = {}, claimPatterns = {} } = match;
  const github = readGitHub(match);
  return [
    ...(github ? [{ term: "GitHub Actions", text: githubWords(github) }] : []),
    ...codes([
      ["Issuer", match.issuer],
      ["Issuer pattern", match.issuerPattern],
      ["Subject", match.subject],
      ["Subject pattern", match.subjectPattern],
      ["Audience", match.audience],
      ["Audience pattern", match.audiencePattern],
      ...Object.entries(claims).map(([name, value]): Entry => [`Claim ${name}`, value]),
      ...Object.entries(claimPatterns).map(([name, value]): Entry => [`Claim ${name}, by pattern`, value]),
    ]),
  ];
}

/** Describes the workflow: "Branch main of acme/api". */
export function githubWords(values: GitHubValues): string {
  const { owner, repository, trust, refs } = values;
  const from = `${owner}/${repository}`;
  if (hasRef(trust)) return `${trust.charAt(0).toUpperCase()}${trust.slice(1)} ${refs[trust]} of ${from}`;
  return trust === "pull_request" ? `Pull requests of ${from}` : `Any workflow of ${from}`;
}

/** Lists everything that a token must match, except for the keys and their expiry. */
export function matchFacts({ claimMatch, staticKeys, awsIdentity, servicePrincipal }: Identity): Fact[] {
  if (claimMatch) return claimFacts(claimMatch);
  if (staticKeys) {
    const { issuer, subject, audiences = [] } = staticKeys;
    return codes([
      ["Issuer", issuer],
      ["Subject", subject],
      ["Audience", audiences.join(" ")],
    ]);
  }
  if (awsIdentity)
    return codes([
      ["AWS account", awsIdentity.awsAccount],
      ["ARN", awsIdentity.arn],
      ["ARN pattern", awsIdentity.arnPattern],
      ["User ID", awsIdentity.userId],
      ["User ID pattern", awsIdentity.userIdPattern],
    ]);
  if (servicePrincipal === undefined) return [];
  return [{ term: "Service", text: serviceLabel(servicePrincipal) }];
}
