import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import type { Column } from "~/ui/table/types";
import { readRepoNames } from "~/features/registry/read-repo-names";

import { scopeColumns } from "./columns";

export { inListOrder } from "./order";

/** Uids a request, so that its address stays well under the 8 kB that servers take. */
const BATCH = 50;

/** The columns of tags of several repos with the names of these, which the list asks for only as it scrolls. */
export async function namedColumns(rows: readonly Tag[]): Promise<readonly Column<Tag>[]> {
  const repos = [...new Set(rows.map(({ uid }) => parentOf(uid)))];
  const known = new Map<string, string>();
  for (let from = 0; from < repos.length; from += BATCH) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: an export is in no hurry
    const { names } = await readRepoNames(new Set(repos.slice(from, from + BATCH)));
    for (const [uid, name] of names) known.set(uid, name);
  }
  const text = ({ uid }: Tag): string => known.get(parentOf(uid)) || parentOf(uid);
  return scopeColumns.map((column) => (column.id === "repo" ? { ...column, text } : column));
}
