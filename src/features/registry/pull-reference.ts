/** One step of a path in a registry (OCI distribution specification, "Pulling manifests"). */
const STEP = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/**
 * The path of a repo in the registry: the organization's name, as paths are written, and the repo's. Lower case, with a
 * dash for whatever a path cannot hold: `Meridian Freight` and `python` make `meridian-freight/python`. Undefined where
 * nothing of the organization's name is left.
 */
export function repoPath(organization: string, repo: string): string | undefined {
  const step = organization
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/([._-])[._-]+/g, "$1")
    .replace(/^[._-]+|[._-]+$/g, "");
  return STEP.test(step) && STEP.test(repo) ? `${step}/${repo}` : undefined;
}

/** What an image is asked for by. */
export interface Reference {
  /** Of the registry, where it is known: `registry.example:5000`. */
  readonly host: string | undefined;
  readonly path: string;
  readonly name: { readonly tag: string } | { readonly digest: string };
}

/** `registry.example/acme/python:3.12`, or `...@sha256:...`; without the host when none is configured. */
export function referenceText({ host, path, name }: Reference): string {
  const bare = "tag" in name ? `${path}:${name.tag}` : `${path}@${name.digest}`;
  return host === undefined ? bare : atHost(host, bare);
}

/** Something in a registry, by its whole name; the host may be written as an address. */
export const atHost = (host: string, path: string): string =>
  `${host.replace(/^https?:\/\//, "").replace(/\/+$/, "")}/${path}`;

/** The programs that pull, with the command of each. */
export const CLIENTS = [
  { id: "docker", label: "docker", command: (reference: string) => `docker pull ${reference}` },
  { id: "podman", label: "podman", command: (reference: string) => `podman pull ${reference}` },
  { id: "nerdctl", label: "nerdctl", command: (reference: string) => `nerdctl pull ${reference}` },
  { id: "crictl", label: "crictl", command: (reference: string) => `crictl pull ${reference}` },
  { id: "kubernetes", label: "Kubernetes", command: (reference: string) => `image: ${reference}` },
] as const;
