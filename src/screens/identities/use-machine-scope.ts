import { useScope, type Scope } from "~/features/scope/scope";
import { useTopGroups } from "~/features/scope/top-groups";

/**
 * The scope of the address; without one, the only organization that the person sees. An unscoped list would mix people
 * into the machines: the API has no filter for "not at the root level" (contract 0.4).
 */
export function useMachineScope(): { readonly scope: Scope; readonly known: boolean } {
  const scope = useScope();
  const { organizations, folders, more, state } = useTopGroups();
  if (scope.group !== undefined) return { scope, known: true };
  const [sole] = organizations;
  if (sole && organizations.length === 1 && folders.length === 0 && !more)
    return { scope: { ...scope, group: sole.uid }, known: true };
  return { scope, known: state !== "loading" || organizations.length > 0 };
}
