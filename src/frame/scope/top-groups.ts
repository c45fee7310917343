import { useInfiniteQuery } from "@tanstack/react-query";

import { rowsOf } from "~/api/queries/queries";
import type { Group } from "platform-contract/iam/groups";

import { levelQuery } from "~/frame/group-tree/levels";
import { pin } from "~/frame/group-tree/pins";
import { byName, TOP, type TreeNode } from "~/frame/group-tree/rows";
import { useRoots } from "~/frame/group-tree/use-roots";

/** The topmost groups that the user can see. */
export interface TopGroups {
  /** The first page of organizations, by name. */
  readonly organizations: readonly Group[];
  /** Folders whose organization the user cannot see. */
  readonly folders: readonly TreeNode[];
  /** True if there are more than these. */
  readonly more: boolean;
  readonly state: "loading" | "ready" | "failed";
  readonly error: unknown;
}

export function useTopGroups(): TopGroups {
  const { data, error, hasNextPage } = useInfiniteQuery(levelQuery(TOP));
  const { rows } = rowsOf(data);
  const roots = useRoots(data && { count: rows.length });
  const { distant } = pin(
    [],
    roots.found,
    rows.map(({ uid }) => uid),
  );
  return {
    organizations: rows,
    folders: distant.toSorted(byName),
    more: hasNextPage || roots.more,
    state: data ? (roots.settled ? "ready" : "loading") : error ? "failed" : "loading",
    error,
  };
}
