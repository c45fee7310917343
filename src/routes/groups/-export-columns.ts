import type { QueryClient } from "@tanstack/react-query";

import type { Group } from "~/contract/iam/groups";
import type { Column } from "~/kit/list/types";
import { readPlaces } from "~/parts/read-places";

import { columnsWith } from "./-group-columns";

/** The columns of a file of groups: with the names of all groups above them. */
export async function exportColumns(
  client: QueryClient,
  rows: readonly Group[],
): Promise<readonly Column<Group>[]> {
  const names = await readPlaces(
    client,
    rows.map(({ uid }) => uid),
  );
  return columnsWith(new Map([...names, ...rows.map(({ uid, name }) => [uid, name] as const)]));
}
