import { useMemo, type ReactNode } from "react";

import type { Repo } from "~/contract/registry/repos";
import { ListTable } from "~/kit/list-table";
import { usePlaceNames } from "~/parts/use-places";

import { columnsWith } from "./-repo-columns";

/** The table of repos, with the names of the groups that they lie in. */
export function RepoTable(table: Omit<Parameters<typeof ListTable<Repo>>[0], "columns">): ReactNode {
  const names = usePlaceNames(table.rows);
  const columns = useMemo(() => columnsWith(names), [names]);
  return <ListTable {...table} columns={columns} />;
}
