import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import type { Column } from "~/ui/table/types";
import { readRepoNames } from "~/features/registry/read-repo-names";

import { scopeColumns } from "./columns";

export { inListOrder } from "./order";

/** The columns of tags of several repos with the names of these, which the list asks for only as it scrolls. */
export async function namedColumns(rows: readonly Tag[]): Promise<readonly Column<Tag>[]> {
  const { names } = await readRepoNames(new Set(rows.map(({ uid }) => parentOf(uid))));
  const text = ({ uid }: Tag): string => names.get(parentOf(uid)) || parentOf(uid);
  return scopeColumns.map((column) => (column.id === "repo" ? { ...column, text } : column));
}
