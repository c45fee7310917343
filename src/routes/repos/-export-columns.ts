import type { QueryClient } from "@tanstack/react-query";

import type { Repo } from "~/contract/registry/repos";
import type { Column } from "~/kit/list/types";
import { readPlaces } from "~/parts/read-places";

import { columnsWith } from "./-repo-columns";

/** The columns of a file of repos: with the names of all groups above them. */
export async function exportColumns(
  client: QueryClient,
  rows: readonly Repo[],
): Promise<readonly Column<Repo>[]> {
  const uids = rows.map(({ uid }) => uid);
  return columnsWith(await readPlaces(client, uids));
}
