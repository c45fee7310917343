import type { RepositoryName } from "../../domains/registry/namespaces.table";

/** Grammar of the OCI distribution specification 1.1, "Pulling manifests". */
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
export const REPOSITORY_BYTES = 255;
export const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
export const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** `acme/base` in its two parts; undefined for every other name, also for longer ones that a registry would take. */
export function readRepository(name: string): RepositoryName | undefined {
  if (name.length > REPOSITORY_BYTES) return undefined;
  const [namespace = "", repo = "", ...more] = name.split("/");
  return more.length === 0 && COMPONENT.test(namespace) && COMPONENT.test(repo)
    ? { namespace, repo }
    : undefined;
}

/** What a client can ask for at a repository; the registry knows no other action of a token. */
export const ACTIONS = ["pull", "push", "delete"] as const;
export type RegistryAction = (typeof ACTIONS)[number];

export interface RepositoryScope extends RepositoryName {
  /** As in the token: `acme/base`. */
  readonly name: string;
  readonly actions: readonly RegistryAction[];
}

/** What of the repositories that are asked for is within others. */
export const within = (
  asked: readonly RepositoryScope[],
  limits: readonly RepositoryScope[],
): RepositoryScope[] =>
  asked.flatMap((one) => {
    const most = limits.find(({ name }) => name === one.name)?.actions ?? [];
    const actions = one.actions.filter((action) => most.includes(action));
    return actions.length > 0 ? [{ ...one, actions }] : [];
  });

/**
 * The repositories in scopes such as `repository:acme/base:pull,push` (Distribution, "Token Scope Documentation"), each
 * once. Whatever else is asked for is left out: other types, the catalog, names that cannot exist, unknown actions.
 */
export function readScopes(scopes: readonly string[]): RepositoryScope[] {
  const found = new Map<string, RepositoryScope>();
  for (const scope of scopes) {
    const [, name = "", asked = ""] =
      /^repository(?:\([\w-]{1,30}\))?:([^:]{1,255}):([\w*,-]{1,100})$/.exec(scope) ?? [];
    const repository = readRepository(name);
    if (!repository) continue;
    const before = found.get(name)?.actions ?? [];
    const actions = ACTIONS.filter((action) => before.includes(action) || asked.split(",").includes(action));
    if (actions.length > 0) found.set(name, { ...repository, name, actions });
  }
  return [...found.values()];
}
