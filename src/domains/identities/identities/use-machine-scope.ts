import { isWithoutAccess, useCurrentUser } from "~/frame/permissions/current-user";
import { useScope, type Scope } from "~/frame/scope/scope";
import { useTopGroups } from "~/frame/scope/top-groups";

/**
 * Returns the scope of the address, or else the only organization that the user can see. An unscoped list would mix
 * people with machines: the API has no filter for "not at the root level".
 */
export function useMachineScope(): { readonly scope: Scope; readonly known: boolean } {
  const scope = useScope();
  const withoutAccess = isWithoutAccess(useCurrentUser());
  const { organizations, folders, more, state } = useTopGroups();
  if (scope.group !== undefined) return { scope, known: true };
  const [sole] = organizations;
  if (sole && organizations.length === 1 && folders.length === 0 && !more)
    return { scope: { ...scope, group: sole.uid }, known: true };
  // For a user without access the groups stay unknown.
  return { scope, known: state !== "loading" || organizations.length > 0 || withoutAccess };
}
