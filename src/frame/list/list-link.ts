import { useRouter } from "@tanstack/react-router";

import { listPath } from "platform-contract/kinds";
import type { LinkTarget } from "~/ui/layout/link";

import { uidToParam } from "~/frame/scope/uid-param";

type Reach = "here" | "below";

/**
 * Returns a link to the list of a collection: records of the group `uid` only, or of the groups below it as well.
 * Undefined if no route lists them, so that adding a screen is enough to link to it.
 */
export function linkToList(
  routes: object,
  collection: string,
  uid: string,
  reach: Reach,
): LinkTarget | undefined {
  const to = listPath(collection);
  if (!(to in routes)) return undefined;
  return { to, search: { group: uidToParam(uid), ...(reach === "here" && { reach }) } };
}

/** The same for the routes of this console. */
export function useListLink(): (collection: string, uid: string, reach: Reach) => LinkTarget | undefined {
  const { routesByPath } = useRouter();
  return (...list) => linkToList(routesByPath, ...list);
}
