import { useMemo, type ReactNode } from "react";

import type { Group } from "~/contract/iam/groups";
import { ListTable } from "~/kit/list-table";
import { usePlaceNames } from "~/parts/use-places";

import { columnsWith } from "./-group-columns";

interface GroupTableProps extends Omit<Parameters<typeof ListTable<Group>>[0], "columns"> {
  /** Those of the rows whose places are named; default: all. */
  readonly near?: readonly Group[];
}

/** The table of groups, with the names of those above each. */
export function GroupTable({ near, ...table }: GroupTableProps): ReactNode {
  const names = usePlaceNames(near ?? table.rows);
  const columns = useMemo(() => columnsWith(names), [names]);
  return <ListTable {...table} columns={columns} />;
}
