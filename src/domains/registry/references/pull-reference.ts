import { trimEndOf, trimStartOf } from "platform-contract/trim";

/** One component of a repository path (OCI distribution specification, "Pulling manifests"). */
const STEP = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/**
 * The path of a repo in the registry: the organization's name, converted for a path, and the repo's. Lowercase, with a
 * dash for characters a path cannot contain: `Meridian Freight` and `python` become `meridian-freight/python`.
 * Undefined if nothing of the organization's name remains.
 * @param namespace what the organization is called there, where a registry is connected: then its name doesn't matter
 */
export function repoPath(organization: string, repo: string, namespace?: string): string | undefined {
  if (namespace !== undefined) return STEP.test(repo) ? `${namespace}/${repo}` : undefined;
  const safe = organization
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/([._-])[._-]+/g, "$1");
  const step = trimEndOf(trimStartOf(safe, "._-"), "._-");
  return STEP.test(step) && STEP.test(repo) ? `${step}/${repo}` : undefined;
}

/** What identifies an image in a pull. */
export interface Reference {
  /** The registry's host, if known: `registry.example:5000`. */
  readonly host: string | undefined;
  readonly path: string;
  readonly name: { readonly tag: string } | { readonly digest: string };
}

/** `registry.example/acme/python:3.12`, or `...@sha256:...`; without the host if none is configured. */
export function referenceText({ host, path, name }: Reference): string {
  const bare = "tag" in name ? `${path}:${name.tag}` : `${path}@${name.digest}`;
  return host === undefined ? bare : atHost(host, bare);
}

/** The full name of something in a registry; the host can be given as a URL. */
export const atHost = (host: string, path: string): string =>
  `${trimEndOf(host.replace(/^https?:\/\//, ""), "/")}/${path}`;

/** Clients that pull images, with their commands. */
export const CLIENTS = [
  { id: "docker", label: "docker", command: (reference: string) => `docker pull ${reference}` },
  { id: "podman", label: "podman", command: (reference: string) => `podman pull ${reference}` },
  { id: "nerdctl", label: "nerdctl", command: (reference: string) => `nerdctl pull ${reference}` },
  { id: "crictl", label: "crictl", command: (reference: string) => `crictl pull ${reference}` },
  { id: "kubernetes", label: "Kubernetes", command: (reference: string) => `image: ${reference}` },
] as const;
