import { isWithoutAccess, useCurrentUser } from "~/frame/permissions/current-user";

import { useScope } from "./scope";
import { useTopGroups, type TopGroups } from "./top-groups";

/** The only group that a user can see, which needs no choice; undefined also until that is known. */
export function onlyGroup({ organizations, folders, more, state }: TopGroups): string | undefined {
  const [only, second] = [...organizations, ...folders];
  return state !== "ready" || more || second ? undefined : only?.uid;
}

interface ChosenGroup {
  /** uid; undefined: all visible groups. */
  readonly group: string | undefined;
  /** False while it isn't known whether there is only one. */
  readonly known: boolean;
}

/** The group that the tree marks as the scope: the one of the address, or else the only one that the user can see. */
export function useChosenGroup(): ChosenGroup {
  const { group } = useScope();
  const top = useTopGroups();
  // The groups of a user without access stay unknown.
  const settled = isWithoutAccess(useCurrentUser()) || top.state !== "loading";
  return { group: group ?? onlyGroup(top), known: group !== undefined || settled };
}
