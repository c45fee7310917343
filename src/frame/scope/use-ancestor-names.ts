import { useInfiniteQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { thePast } from "~/api/client/moment";
import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { groups } from "platform-contract/iam/groups";

import { readKnown, unknownAbove, type KnownGroups } from "./ancestors";

interface Row {
  readonly uid: string;
  readonly name?: string | undefined;
}

/** The names in the cache and in these rows, which can be groups themselves. */
function knownOf(client: QueryClient, rows: readonly Row[]): KnownGroups {
  const { names, asked } = readKnown(client.getQueriesData({ queryKey: [groups.collection] }));
  const all = new Map(names);
  for (const { uid, name } of rows) if (name) all.set(uid, name);
  return { names: all, asked };
}

/**
 * The names of these rows' ancestors: from data already loaded (the tree, the rows), and otherwise from one request for
 * up to 200 of them.
 */
export function useAncestorNames(rows: readonly Row[]): ReadonlyMap<string, string> {
  const client = useQueryClient();
  const missing = useMemo(() => {
    const uids = rows.map(({ uid }) => uid);
    return unknownAbove(uids, knownOf(client, rows)).slice(0, PAGE_SIZE_MAX);
  }, [client, rows]);
  const { data } = useInfiniteQuery({
    ...infinite(groups.list, {
      "uidp.ids": missing,
      order_by: "uid",
      page_size: PAGE_SIZE_MAX,
      ...thePast()?.comparing(groups.list),
    }),
    enabled: missing.length > 0,
  });
  const found = rowsOf(data).rows;
  return useMemo(() => knownOf(client, [...rows, ...found]).names, [client, rows, found]);
}
