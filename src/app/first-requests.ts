import { defaultOrderOf } from "~/api/paging/default-order";
import { PAGE_SIZE } from "~/api/paging/pages";
import { paramToUid } from "~/frame/scope/uid-param";
import { isUid } from "platform-contract/aip";
import { pathOfKind } from "platform-contract/kind";
import { kinds, listPath } from "platform-contract/kinds";

import type { Person } from "~/auth/session";

/** Search parameters that limit a list by its scope only. */
const SCOPE = new Set(["group", "reach"]);

/** The list of the screen at `path` below the console's address, as `define.ts` requests it. */
function listOf(path: string, search: URLSearchParams): readonly string[] {
  const kind = kinds.find(({ collection }) => listPath(collection) === `/${path}`);
  const group = paramToUid(search.get("group") ?? "");
  // The list of one record has another query, one of records in no group has no scope, and any filter makes another list.
  if (!kind?.screens || kind.parent !== "groups" || !kind.access.create || !isUid(group)) return [];
  if ([...search.keys()].some((name) => !SCOPE.has(name))) return [];
  const query = new URLSearchParams({
    [search.get("reach") === "here" ? "uidp.children_of" : "uidp.descendants_of"]: group,
    order_by: defaultOrderOf(kind.collection),
    page_size: String(PAGE_SIZE),
  });
  return [`${pathOfKind(kind)}?${query}`];
}

/**
 * Paths, with queries, of what the first load of an address certainly requests: the list of its screen, who the user is, and
 * the organizations. Written out, since the code that defines these requests is still loading; a test compares them.
 */
export function firstRequests(
  { pathname, search }: Pick<Location, "pathname" | "search">,
  base: string,
  { issuer, subject }: Pick<Person, "issuer" | "subject">,
): readonly string[] {
  const path = pathname.slice(new URL(base).pathname.length).replace(/\/$/, "");
  return [
    ...listOf(path, new URLSearchParams(search)),
    `/iam/v2/identities:lookupIdentity?${new URLSearchParams({ issuer, subject })}`,
    "/iam/v2/groups?uidp.in_root=true&order_by=name&page_size=100",
  ];
}
