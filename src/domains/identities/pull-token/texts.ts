import { trimEndOf, trimStartOf } from "platform-contract/trim";

/** What uses a pull token. */
export const USES = [
  { value: "docker", label: "Docker" },
  { value: "kubernetes", label: "Kubernetes" },
  { value: "skopeo", label: "Skopeo" },
  { value: "github", label: "GitHub" },
] as const;
export type Use = (typeof USES)[number]["value"];

/** Any name does: the registry's token service reads only the password. */
export const USER = "pull-token";

/** Base64 of ASCII text. */
const base64 = (text: string): string => btoa(text);

/** A name for a Kubernetes object (RFC 1123, section 2.1). */
const objectName = (name: string): string =>
  trimEndOf(trimStartOf(name.replaceAll(/[^a-z0-9-]+/g, "-").slice(0, 63), "-"), "-") || USER;

interface Facts {
  readonly host: string;
  /** `acme/base`, or `acme/<repo>`. */
  readonly repository: string;
  readonly name: string;
  readonly token: string;
}

/** How to use a token, as a command or a file. The token is in it only where it has to be. */
export function textOf(use: Use, { host, repository, name, token }: Facts): string {
  if (use === "docker")
    // From standard input: a token among the arguments is visible to everybody on the machine.
    return `docker login ${host} -u ${USER} --password-stdin <<'END'\n${token}\nEND`;
  if (use === "skopeo")
    return `skopeo inspect --creds '${USER}:${token}' docker://${host}/${repository}:latest`;
  if (use === "github")
    return `# Save the token as the secret PULL_TOKEN first.
- uses: docker/login-action@v3
  with:
    registry: ${host}
    username: ${USER}
    password: \${{ secrets.PULL_TOKEN }}`;
  const auth = { username: USER, password: token, auth: base64(`${USER}:${token}`) };
  return `apiVersion: v1
kind: Secret
metadata:
  name: ${objectName(name)}
type: kubernetes.io/dockerconfigjson
stringData:
  .dockerconfigjson: '${JSON.stringify({ auths: { [host]: auth } })}'
---
# In the pod, or in its service account:
# imagePullSecrets: [{ name: ${objectName(name)} }]`;
}

const DAY_MS = 86_400_000;
/** Keys end a year after their identity was created, at the latest. */
export const MOST_DAYS = 364;

/** `2026-01-28`, that many days from now, in UTC. */
export const dayIn = (days: number, now: number): string =>
  new Date(now + days * DAY_MS).toISOString().slice(0, 10);

/** The last day on which keys can end of an identity that was created at a time, in ms. */
export const latestDay = (created: number): string => dayIn(MOST_DAYS, created);

/** Why a day cannot be the end; undefined if it can. @param latest the last one that can */
export function endProblem(day: string, now: number, latest: string): string | undefined {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) return "Enter a date";
  if (time <= now) return "Choose a later day";
  return day > latest ? `Choose ${latest} or an earlier day` : undefined;
}

/** Why a name cannot be that of an identity; undefined if it can. */
export const nameProblem = (name: string): string | undefined =>
  /^[a-z0-9 ._-]{1,200}$/.test(name)
    ? undefined
    : "Use lowercase letters, digits, spaces, dots, underscores and hyphens";
