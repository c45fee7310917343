import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { ApiError } from "~/api/client/errors";
import type { Pages } from "~/api/paging/pages";
import { mayAskAgain } from "~/api/queries/query-client";
import { infinite, one } from "~/api/queries/queries";
import { ancestorsOf } from "~/contract/aip";
import { groups, type Group } from "~/contract/iam/groups";
import { shorten } from "~/ui/display/shorten";

/** The visible groups above a record, root first, in one request: groups nest at most 32 deep. */
export const ancestorsQuery = (uid: string) =>
  infinite(groups.list, { "uidp.ancestors_of": uid, order_by: "uid", page_size: 50 });

/** For a query that several parts of the page ask: what the service has refused is not asked again by each of them. */
export const unlessRefused = (query: { readonly state: { readonly error: unknown } }): boolean =>
  mayAskAgain(query) && !(query.state.error instanceof ApiError && !query.state.error.passing);

/** One group. */
export const groupQuery = (uid: string) => ({ ...one(groups.get, { uid }), retryOnMount: unlessRefused });

/** A group on the way to a record. */
export interface Step {
  readonly uid: string;
  /** Undefined while it loads, and when the caller cannot see it. */
  readonly name: string | undefined;
}

export interface Path {
  /** The groups above, root first; the record itself is not among them. */
  readonly steps: readonly Step[];
  readonly state: "loading" | "ready" | "failed";
}

/** The group as a list that is on screen has it. */
function listed(client: QueryClient, uid: string): Group | undefined {
  for (const [, data] of client.getQueriesData<Pages<Group>>({ queryKey: [groups.collection, "list"] }))
    for (const { items } of data?.pages ?? []) {
      const found = items.find((group) => group.uid === uid);
      if (found) return found;
    }
  return undefined;
}

/**
 * The way from the organization down to a record, also where parts of it are not readable. What lists on screen know of
 * it serves until the answer is there, and instead of one that does not come.
 */
export function usePath(uid: string | undefined): Path {
  const client = useQueryClient();
  const above = useMemo(() => (uid === undefined ? [] : ancestorsOf(uid)), [uid]);
  const { data, isError } = useInfiniteQuery({ ...ancestorsQuery(uid ?? ""), enabled: above.length > 0 });
  return useMemo(() => {
    const read = data?.pages.flatMap(({ items }) => items);
    const found = read ?? above.flatMap((step) => listed(client, step) ?? []);
    const names = new Map(found.map(({ uid: each, name }) => [each, name || shorten(each)]));
    return {
      steps: above.map((step) => ({ uid: step, name: names.get(step) })),
      state: read || names.size === above.length ? "ready" : isError ? "failed" : "loading",
    };
  }, [client, above, data, isError]);
}

/** One group by its uid; a list's copy serves until the answer arrives. */
export function useGroup(uid: string | undefined): { group: Group | undefined; error: unknown } {
  const client = useQueryClient();
  const { data, error } = useQuery({
    ...groupQuery(uid ?? ""),
    enabled: uid !== undefined,
    placeholderData: () => listed(client, uid ?? ""),
  });
  return { group: uid === undefined ? undefined : data, error };
}
