import { useRouterState } from "@tanstack/react-router";

import { kindOf, kinds } from "platform-contract/kinds";
import type { LinkTo } from "~/frame/group-tree/group-tree";
import { uidToParam } from "~/frame/scope/uid-param";

/**
 * The search parameter that limits a list to one parent record: the tags of a repo are at `/tags?repo=<uid>`. Undefined
 * for records in groups, whose lists the scope limits.
 */
export const holderParameter = (collection: string): string | undefined => {
  const { parent = "groups" } = kindOf(collection) ?? {};
  return parent === "groups" ? undefined : kindOf(parent)?.noun;
};

/** Parameters specific to the previous scope's rows: the position in the list, an open drawer, the repo of its tags. */
const LEFT_BEHIND = Object.fromEntries(
  ["at", "drawer", ...kinds.flatMap(({ collection }) => holderParameter(collection) ?? [])].map((name) => [
    name,
    undefined,
  ]),
);

/** The search parameters of the same screen without a scope. */
export const linkOut = (previous: object) => ({ ...previous, ...LEFT_BEHIND, group: undefined });

/** True if the screen is about a scope (a list, the overview) and not about one record or an unknown URL. */
export const isScopedScreen = (
  matches: readonly { readonly routeId: string; readonly params: object }[],
): boolean => {
  const screen = matches.at(-1);
  return screen !== undefined && screen.routeId !== "__root__" && !("uid" in screen.params);
};

/** The link for choosing a group: the same list in that scope, or the group's overview. */
export function useScopeLink(): LinkTo {
  const stay = useRouterState({ select: ({ matches }) => isScopedScreen(matches) });
  return (uid) => {
    const group = uidToParam(uid);
    if (!stay) return { to: "/", search: { group } };
    return { to: ".", search: (previous: object) => ({ ...previous, ...LEFT_BEHIND, group }) };
  };
}
