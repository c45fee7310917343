import type { QueryClient } from "@tanstack/react-query";

import { byUids } from "~/api/queries/by-uids";
import { groups } from "platform-contract/iam/groups";

import { readKnown, unknownAbove } from "./ancestors";

/** Reads the names of all ancestors of these rows, by uid, without waiting for a scroll. Rows can be groups. */
export async function readAncestorNames(
  client: QueryClient,
  rows: readonly { readonly uid: string; readonly name?: string | undefined }[],
): Promise<Map<string, string>> {
  const { names: cached } = readKnown(client.getQueriesData({ queryKey: [groups.collection] }));
  const names = new Map(cached);
  for (const { uid, name } of rows) if (name) names.set(uid, name);
  const uids = rows.map(({ uid }) => uid);
  // Request even those a list has requested without a result: they may be readable by now.
  const missing = unknownAbove(uids, { names, asked: new Set() });
  for (const { uid, name } of await byUids(groups.list, missing)) names.set(uid, name);
  return names;
}
