import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { byUids, requestByUids } from "~/api/queries/by-uids";
import { infinite, rowsOf } from "~/api/queries/queries";
import { groups } from "platform-contract/iam/groups";

import { toNode } from "./levels";
import { distantFolders } from "./roots";
import type { TreeNode } from "./rows";

export interface Roots {
  readonly found: readonly TreeNode[];
  /** True if there are visible folders that no binding names; the list of groups shows them. */
  readonly more: boolean;
  readonly settled: boolean;
}

/** Keyed under "groups", so that any change to a group refreshes these too. */
export const ROOTS = [groups.collection, "roots"] as const;

const NONE: readonly TreeNode[] = [];

/**
 * The folders that the user can see without their organization, from the user's bindings. Sends no request for a user
 * with an organization. `organizations`: the number that the user can see, once known.
 */
export function useRoots(organizations: { readonly count: number } | undefined): Roots {
  const who = useCurrentUser();
  const uids = useMemo(
    () => (who.state === "known" ? distantFolders(who.bindings, who.roles) : []),
    [who.state, who.bindings, who.roles],
  );
  const named = useQuery({
    queryKey: [...ROOTS, uids],
    queryFn: ({ signal }) => byUids(groups.list, uids, signal),
    meta: { requests: () => [requestByUids(groups.list, uids)] },
    enabled: uids.length > 0,
  });
  const found = useMemo(() => named.data?.map(toNode) ?? NONE, [named.data]);

  // With no known group, the user may still see some: the bindings may not be readable.
  const waiting = who.state === "loading" || (uids.length > 0 && named.isPending);
  const blind = organizations?.count === 0 && !waiting && who.state !== "nobody" && found.length === 0;
  const visible = useInfiniteQuery({ ...infinite(groups.list, { page_size: 1 }), enabled: blind });
  return {
    found,
    more: (blind && rowsOf(visible.data).rows.length > 0) || (named.isError && found.length === 0),
    settled: !waiting && !(blind && visible.isPending),
  };
}
