import type { Identity } from "platform-contract/iam/identities";

import { readGitHub, readGitHubSubject, type GitHubValues } from "./github";

/** A command or file that gets a token for an identity, and how to call it. */
export interface ExchangeText {
  readonly label: string;
  /** Where it goes; undefined for a command. */
  readonly file?: string;
  readonly text: string;
}

/** A quoted YAML scalar: JSON strings are one (YAML 1.2, section 1.3). */
const quoted = (text: string): string => JSON.stringify(text);

const exchangeUrl = (api: string, uid: string): string => `${api}/sts/exchange?identity=${uid}`;

/** Fails if the exchange does, instead of going on with an empty token. */
const EXCHANGE = `curl -sS --fail-with-body -X POST -H "Authorization: Bearer $OIDC_TOKEN"`;

const listRepos = (api: string): string =>
  `curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "${api}/registry/v2/repos?page_size=5"`;

/** Gets a token for the identity with the workload's own token in OIDC_TOKEN. */
export const exchangeCommand = (api: string, uid: string): string =>
  `TOKEN=$(${EXCHANGE} \\\n  "${exchangeUrl(api, uid)}" |\n  jq -er .token)`;

const indented = (text: string, spaces: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(spaces));

/** Issuers of GitHub Enterprise: Server, ghe.com, and Cloud with an issuer of the enterprise. */
const ENTERPRISE =
  /^https:\/\/(?:[^/]+\/_services\/token|token\.actions\.[^/]+\.ghe\.com|token\.actions\.githubusercontent\.com\/[^/]+)$/;

/** Which workflows of GitHub Enterprise an identity is for; undefined for any other issuer or subject. */
function readEnterprise({
  issuer = "",
  subject,
}: NonNullable<Identity["claimMatch"]>): GitHubValues | undefined {
  return subject !== undefined && ENTERPRISE.test(issuer) ? readGitHubSubject({ subject }) : undefined;
}

function githubTrigger({ trust, refs }: GitHubValues): string {
  if (trust === "branch") return `on:\n  push:\n    branches: [${quoted(refs.branch)}]`;
  if (trust === "tag") return `on:\n  push:\n    tags: [${quoted(refs.tag)}]`;
  return trust === "pull_request" ? "on: pull_request" : "on: push";
}

function githubWorkflow(api: string, uid: string, audience: string, values: GitHubValues): string {
  const environment =
    values.trust === "environment" ? `\n    environment: ${quoted(values.refs.environment)}` : "";
  const script = `OIDC_TOKEN=$(curl -sS --fail-with-body \\
  -H "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
  "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${encodeURIComponent(audience)}" | jq -er .value)
echo "::add-mask::$OIDC_TOKEN"
${exchangeCommand(api, uid)}
echo "::add-mask::$TOKEN"
echo "TOKEN=$TOKEN" >> "$GITHUB_ENV"`;
  return `name: Platform
${githubTrigger(values)}
permissions:
  contents: read
  id-token: write
jobs:
  platform:
    runs-on: ubuntu-latest${environment}
    steps:
      - name: Get a token
        shell: bash
        run: |
${indented(script, 10)}
      - name: Use it
        run: |
          ${listRepos(api)}
`;
}

/** `project_path:acme/app:ref_type:branch:ref:main`, with an exact ref. */
const GITLAB_REF = /^project_path:[^:]+:ref_type:(branch|tag):ref:(.+)$/s;

const isGitLab = ({ subject, subjectPattern }: NonNullable<Identity["claimMatch"]>): boolean =>
  /^\^?project_path:/.test(subject ?? subjectPattern ?? "");

function gitlabJob(api: string, uid: string, audience: string, subject: string): string {
  const [, type, ref = ""] = GITLAB_REF.exec(subject) ?? [];
  const variable = type === "tag" ? "$CI_COMMIT_TAG" : "$CI_COMMIT_BRANCH";
  const rule = `${variable} == ${quoted(ref)}`;
  const rules = type === undefined ? "" : `\n  rules:\n    - if: ${quoted(rule)}`;
  return `platform:
  image: alpine:3${rules}
  id_tokens:
    OIDC_TOKEN:
      aud: ${quoted(audience)}
  before_script:
    - apk add --no-cache curl jq
  script:
    - |
${indented(exchangeCommand(api, uid), 6)}
      ${listRepos(api)}
`;
}

/**
 * How a workload gets a token for an identity: the file for its CI, if it is known, and the command. Empty for identities
 * that do not sign in with tokens. `api` has no trailing slash.
 */
export function exchangeTexts({ uid, claimMatch, staticKeys }: Identity, api: string): ExchangeText[] {
  if (!claimMatch && !staticKeys) return [];
  const command = { label: "Command", text: exchangeCommand(api, uid) };
  if (!claimMatch) return [command];
  const { audience = api, subject = "" } = claimMatch;
  const github = readGitHub(claimMatch) ?? readEnterprise(claimMatch);
  if (github)
    return [
      {
        label: "GitHub Actions",
        file: ".github/workflows/platform.yml",
        text: githubWorkflow(api, uid, audience, github),
      },
      command,
    ];
  if (isGitLab(claimMatch))
    return [
      { label: "GitLab CI", file: ".gitlab-ci.yml", text: gitlabJob(api, uid, audience, subject) },
      command,
    ];
  return [command];
}
