import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import type { Pages } from "~/api/paging/pages";
import { mayAskAgain } from "~/api/queries/query-client";
import { infinite, one } from "~/api/queries/queries";
import { ApiError } from "platform-client/errors";
import { ancestorsOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { shorten } from "~/ui/display/shorten";

/** The visible ancestors of a record, root first, in one request: groups nest at most 32 deep. */
export const ancestorsQuery = (uid: string) =>
  infinite(groups.list, { "uidp.ancestors_of": uid, order_by: "uid", page_size: 50 });

/** For queries shared by several parts of the page: do not repeat a refused request for each of them. */
export const unlessRefused = (query: { readonly state: { readonly error: unknown } }): boolean =>
  mayAskAgain(query) && !(query.state.error instanceof ApiError && !query.state.error.passing);

/** One group. */
export const groupQuery = (uid: string) => ({ ...one(groups.get, { uid }), retryOnMount: unlessRefused });

/** A group on the path to a record. */
export interface Step {
  readonly uid: string;
  /** Undefined while loading, or if the user cannot see it. */
  readonly name: string | undefined;
  /** What an organization is called in the registry; undefined where none is connected. */
  readonly namespace?: string | undefined;
}

export interface Path {
  /** The ancestors, root first; excludes the record itself. */
  readonly steps: readonly Step[];
  readonly state: "loading" | "ready" | "failed";
}

/** The group from a cached list. */
function listed(client: QueryClient, uid: string): Group | undefined {
  for (const [, data] of client.getQueriesData<Pages<Group>>({ queryKey: [groups.collection, "list"] }))
    for (const { items } of data?.pages ?? []) {
      const found = items.find((group) => group.uid === uid);
      if (found) return found;
    }
  return undefined;
}

/**
 * The path from the organization down to a record, even if parts of it are not readable. Uses names from cached lists
 * until the response arrives, or if it never does.
 */
export function usePath(uid: string | undefined): Path {
  const client = useQueryClient();
  const above = useMemo(() => (uid === undefined ? [] : ancestorsOf(uid)), [uid]);
  const { data, isError } = useInfiniteQuery({ ...ancestorsQuery(uid ?? ""), enabled: above.length > 0 });
  return useMemo(() => {
    const read = data?.pages.flatMap(({ items }) => items);
    const found = read ?? above.flatMap((step) => listed(client, step) ?? []);
    const names = new Map(found.map(({ uid: each, name }) => [each, name || shorten(each)]));
    const namespaces = new Map(found.map(({ uid: each, namespace }) => [each, namespace]));
    return {
      steps: above.map((step) => ({
        uid: step,
        name: names.get(step),
        namespace: namespaces.get(step),
      })),
      state: read || names.size === above.length ? "ready" : isError ? "failed" : "loading",
    };
  }, [client, above, data, isError]);
}

/** One group by its uid; a copy from a cached list is the placeholder until the response arrives. */
export function useGroup(uid: string | undefined): { group: Group | undefined; error: unknown } {
  const client = useQueryClient();
  const { data, error } = useQuery({
    ...groupQuery(uid ?? ""),
    enabled: uid !== undefined,
    placeholderData: () => listed(client, uid ?? ""),
  });
  return { group: uid === undefined ? undefined : data, error };
}
