import { useRouterState } from "@tanstack/react-router";

import { kindOf, kinds } from "~/contract/kinds";
import type { LinkTo } from "~/features/group-tree/group-tree";
import { uidToParam } from "~/features/scope/uid-param";

/**
 * The search parameter of a list that is limited to one record: the tags of a repo are at `/tags?repo=<uid>`. Undefined where
 * records lie in groups, to which the scope limits a list.
 */
export const holderParameter = (collection: string): string | undefined => {
  const { parent = "groups" } = kindOf(collection) ?? {};
  return parent === "groups" ? undefined : kindOf(parent)?.noun;
};

/** What belongs to the rows of the scope that is left: the place in the list, an open drawer, the repo of its tags. */
const LEFT_BEHIND = Object.fromEntries(
  ["at", "drawer", ...kinds.flatMap(({ collection }) => holderParameter(collection) ?? [])].map((name) => [
    name,
    undefined,
  ]),
);

/** Whether the screen is about a scope (a list, the overview) and not about one record or an unknown address. */
export const isScopedScreen = (
  matches: readonly { readonly routeId: string; readonly params: object }[],
): boolean => {
  const screen = matches.at(-1);
  return screen !== undefined && screen.routeId !== "__root__" && !("uid" in screen.params);
};

/** Where choosing a group leads: the same list in that scope, or the group's overview. */
export function useScopeLink(): LinkTo {
  const stay = useRouterState({ select: ({ matches }) => isScopedScreen(matches) });
  return (uid) => {
    const group = uidToParam(uid);
    if (!stay) return { to: "/", search: { group } };
    return { to: ".", search: (previous: object) => ({ ...previous, ...LEFT_BEHIND, group }) };
  };
}
