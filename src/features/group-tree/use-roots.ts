import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { useCurrentUser } from "~/access/current-user";
import { call } from "~/api/client/client";
import { byUids, requestByUids } from "~/api/queries/by-uids";
import { totalOf } from "~/api/client/read-response";
import { groups } from "~/contract/iam/groups";
import { errorFacts } from "~/ui/feedback/error-facts";

import { toNode } from "./levels";
import { distantFolders, findRoots, type RootsFound } from "./roots";
import type { TreeNode, TreeState } from "./rows";

const PAGE = 200;
/** Steps of the walk that nobody asked for. */
const STEPS = 4;

const walk = (skip: number, signal: AbortSignal): Promise<RootsFound> =>
  findRoots(
    skip,
    (query) => call(groups.list, { query: { ...query, order_by: "uid", page_size: PAGE }, signal }),
    async (uid) => {
      const count = totalOf(
        await call(groups.list, { query: { "uidp.descendants_of": uid, page_size: 1 }, signal }),
      );
      return count === undefined ? undefined : Number(count);
    },
  );

export interface Roots {
  readonly found: readonly TreeNode[];
  readonly further: NonNullable<TreeState["further"]>;
  /** When the service wants to be asked again for further ones, in ms. */
  readonly retryAt: number | undefined;
  readonly findMore: () => void;
  readonly settled: boolean;
}

const NONE: readonly TreeNode[] = [];

/**
 * The folders that the caller sees without their organization. The caller's bindings name them, so that somebody with
 * an organization of their own costs no request; where bindings cannot be read, everything visible is walked over.
 * `organizations`: how many the caller sees, once that is known.
 */
export function useRoots(organizations: { readonly count: number } | undefined): Roots {
  const who = useCurrentUser();
  const uids = useMemo(
    () => (who.state === "known" ? distantFolders(who.bindings, who.roles) : []),
    [who.state, who.bindings, who.roles],
  );
  // Under "groups", so that whatever changes a group brings these up to date as well.
  const named = useQuery({
    queryKey: [groups.collection, "roots", uids],
    queryFn: ({ signal }) => byUids(groups.list, uids, signal),
    meta: { requests: () => [requestByUids(groups.list, uids)] },
    enabled: uids.length > 0,
  });

  const bare = organizations?.count === 0;
  const blind =
    who.state === "unknown" ||
    (who.state === "known" && bare && (uids.length === 0 || named.data?.length === 0));
  const walked = useInfiniteQuery({
    queryKey: [groups.collection, "walk"],
    queryFn: ({ pageParam, signal }) => walk(pageParam, signal),
    meta: { requests: () => [{ endpoint: groups.list, query: { order_by: "uid", page_size: PAGE } }] },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    enabled: blind,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = walked;
  const steps = walked.data?.pages.length ?? 0;
  useEffect(() => {
    if (blind && hasNextPage && !isFetching && !isError && steps < STEPS)
      // Several places on the page ask: the first one's request is everybody's.
      void fetchNextPage({ cancelRefetch: false });
  }, [blind, hasNextPage, isFetching, isError, steps, fetchNextPage]);

  const found = useMemo(() => {
    const all = [
      ...(named.data ?? []),
      ...(blind ? (walked.data?.pages.flatMap(({ roots }) => roots) ?? []) : []),
    ];
    return all.length === 0 ? NONE : all.map(toNode);
  }, [named.data, blind, walked.data]);

  const unfinished = hasNextPage && steps >= STEPS ? "some" : "none";
  return {
    found,
    further: !blind ? "none" : isError ? "failed" : steps > 0 && isFetching ? "busy" : unfinished,
    retryAt: walked.error ? errorFacts(walked.error).retryAt : undefined,
    findMore: () => void (steps === 0 ? walked.refetch() : fetchNextPage()),
    settled: who.state !== "loading" && !(uids.length > 0 && named.isPending) && !(blind && walked.isPending),
  };
}
