import { useScope, type Scope } from "~/features/scope/scope";
import { useTopGroups } from "~/features/scope/top-groups";

/** The scope of a list, and whether it is settled what that is. */
export interface ListScope {
  readonly scope: Scope;
  readonly known: boolean;
}

/**
 * The scope of the address; without one that of the only organization, where somebody sees no more than one: an
 * unscoped list would mix people into the machines (contract 0.4 knows no filter for "not at root level").
 */
export function useListScope(): ListScope {
  const scope = useScope();
  const { organizations, folders, more, state } = useTopGroups();
  if (scope.group !== undefined) return { scope, known: true };
  const [sole] = organizations;
  if (sole && organizations.length === 1 && folders.length === 0 && !more)
    return { scope: { ...scope, group: sole.uid }, known: true };
  return { scope, known: state !== "loading" || organizations.length > 0 };
}
