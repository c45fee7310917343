import type { ReactNode } from "react";

import type { Tag } from "~/contract/registry/tags";
import type { Column } from "~/ui/table/types";
import { ListTools, type ListToolsProps } from "~/resource/list-tools";

import { groupColumns } from "./arranged-tags";

/** The digest first, as on screen: it is never left out. */
const digestFirst = (columns: readonly Column<Tag>[]): readonly Column<Tag>[] =>
  columns.toSorted((a, b) => Number(b.id === "digest") - Number(a.id === "digest"));

/** The tools of tags that are grouped by digest: the columns are those of the groups, a file is of tags all the same. */
export function GroupTools(props: ListToolsProps<Tag>): ReactNode {
  const { columns, columnsOf } = props;
  return (
    <ListTools<Tag>
      {...props}
      columns={digestFirst(columns)}
      columnsOf={columnsOf && (async (rows) => digestFirst(await columnsOf(rows)))}
      tableColumns={groupColumns(columnsOf !== undefined)}
      note="The list is grouped by digest; the file has the tags themselves, those of one image together."
    />
  );
}
