import type { QueryClient } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { groups } from "~/contract/iam/groups";

import { readKnown, unknownAbove } from "./ancestors";

/** Uids a request, so that its address stays well under the 8 kB that servers take. */
const BATCH = 50;

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
  for (let from = 0; from < missing.length; from += BATCH) {
    const ids = missing.slice(from, from + BATCH);
    // oxlint-disable-next-line no-await-in-loop -- one after the other: an export is in no hurry
    const { items } = await call(groups.list, { query: { "uidp.ids": ids, page_size: BATCH } });
    for (const { uid, name } of items) names.set(uid, name);
  }
  return names;
}
