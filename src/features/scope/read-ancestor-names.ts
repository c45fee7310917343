import type { QueryClient } from "@tanstack/react-query";

import { byUids } from "~/api/queries/by-uids";
import { groups } from "~/contract/iam/groups";

import { readKnown, unknownAbove } from "./ancestors";

/** The names of all groups above these rows, by uid, which a list asks for only as it scrolls; the rows may be groups themselves. */
export async function readAncestorNames(
  client: QueryClient,
  rows: readonly { readonly uid: string; readonly name?: string | undefined }[],
): Promise<Map<string, string>> {
  const { names: cached } = readKnown(client.getQueriesData({ queryKey: [groups.collection] }));
  const names = new Map(cached);
  for (const { uid, name } of rows) if (name) names.set(uid, name);
  const uids = rows.map(({ uid }) => uid);
  // Asked for again where a list asked already and was not told: it may have been another time.
  const missing = unknownAbove(uids, { names, asked: new Set() });
  for (const { uid, name } of await byUids(groups.list, missing)) names.set(uid, name);
  return names;
}
