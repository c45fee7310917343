import { useMemo, type ReactNode } from "react";

import { ListTable } from "~/ui/table/list-table";
import type { Column } from "~/ui/table/types";

import { usePlaceNames } from "~/features/scope/use-ancestor-names";

interface PlacedTableProps<T> extends Omit<Parameters<typeof ListTable<T>>[0], "columns"> {
  /** The columns, given the names of the groups above the rows, by uid. Defined outside of components. */
  readonly columnsWith: (names: ReadonlyMap<string, string>) => readonly Column<T>[];
  /** Whether the rows are those of a scan: these may lie under thousands of groups, too many to ask for. */
  readonly scanned: boolean;
}

/** A list's table that says of each row in which groups it lies. */
export function PlacedTable<T extends { readonly uid: string }>(props: PlacedTableProps<T>): ReactNode {
  const { columnsWith, scanned, ...table } = props;
  const { rows, at = 0 } = table;
  const near = useMemo(
    () => (scanned ? rows.slice(Math.max(0, at - 5), at + 45) : rows),
    [scanned, rows, at],
  );
  const names = usePlaceNames(near);
  const columns = useMemo(() => columnsWith(names), [columnsWith, names]);
  return <ListTable {...table} columns={columns} />;
}
