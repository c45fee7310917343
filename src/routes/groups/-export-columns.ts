import type { QueryClient } from "@tanstack/react-query";

import { call } from "~/api/client";
import { groups, type Group } from "~/contract/iam/groups";
import type { Column } from "~/kit/list/types";
import { readKnown, unknownAbove } from "~/parts/places";

import { columnsWith } from "./-group-columns";

/** Uids a request, so that its address stays well under the 8 kB that servers take. */
const BATCH = 50;

/** The columns of a file of groups: with the names of all groups above them, which a list asks for as it scrolls. */
export async function exportColumns(
  client: QueryClient,
  rows: readonly Group[],
): Promise<readonly Column<Group>[]> {
  const { names: cached } = readKnown(client.getQueriesData({ queryKey: [groups.collection] }));
  const names = new Map([...cached, ...rows.map(({ uid, name }) => [uid, name] as const)]);
  // Asked for again where a list asked already and was not told: it may have been another time.
  const missing = unknownAbove(
    rows.map(({ uid }) => uid),
    { names, asked: new Set() },
  );
  for (let from = 0; from < missing.length; from += BATCH) {
    const ids = missing.slice(from, from + BATCH);
    // oxlint-disable-next-line no-await-in-loop -- one after the other: an export is in no hurry
    const { items } = await call(groups.list, { query: { "uidp.ids": ids, page_size: BATCH } });
    for (const { uid, name } of items) names.set(uid, name);
  }
  return columnsWith(names);
}
