import { useRouter } from "@tanstack/react-router";

import { listPath } from "~/contract/kinds";
import type { LinkTarget } from "~/ui/layout/link";

import { uidToParam } from "~/features/scope/uid-param";

type Reach = "here" | "below";

/**
 * Where the records of a collection are listed: those of the group `uid` alone, or with what lies below it. Undefined as long
 * as no route lists them, so that a new screen is linked to by being there.
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
