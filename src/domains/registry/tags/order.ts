import { parentOf } from "platform-contract/aip";
import type { Tag } from "platform-contract/registry/tags";
import { readRepoNames } from "~/domains/registry/references/read-repo-names";
import { versionKey } from "platform-contract/registry/version-order";
import type { ListView } from "~/frame/define";
import { sorter } from "./sorter";
import { readOrder, type Column } from "~/ui/table/types";

import { columnsOf } from "./columns";
import { tagScreens } from "./data";
import { groupByDigest, updatedAt } from "./digest-groups";

const KEYS: Readonly<Record<string, (tag: Tag) => string | number>> = {
  version: ({ name }) => versionKey(name),
  updated_at: updatedAt,
  name: ({ name }) => name.toLowerCase(),
};

/** Returns a function that sorts a scan's rows, which are read by name, in the order of a list. */
export function tagSorter(order: string): (rows: readonly Tag[]) => readonly Tag[] {
  const { field, descending } = readOrder(order) ?? { field: "", descending: false };
  return sorter(KEYS[field] ?? (({ uid }: Tag) => uid), descending);
}

/** Sorts rows that were read by name in the order of the list, with the tags of a group next to each other. */
export function inListOrder(rows: readonly Tag[], view: ListView): readonly Tag[] {
  const { order = tagScreens.defaultOrder, by, repo } = view;
  const sorted = tagSorter(order)(rows);
  if (by === undefined) return sorted;
  return groupByDigest(sorted, repo === undefined, order).flatMap(({ tags }) => tags);
}

/** Number of uids per request, to keep its URL well under the 8 kB limit of servers. */
const BATCH = 50;

/** Columns of tags from several repos with all repo names, which the list itself requests only on scrolling. */
export async function namedColumns(rows: readonly Tag[]): Promise<readonly Column<Tag>[]> {
  const repos = [...new Set(rows.map(({ uid }) => parentOf(uid)))];
  const known = new Map<string, string>();
  for (let from = 0; from < repos.length; from += BATCH) {
    // oxlint-disable-next-line no-await-in-loop -- one page at a time: an export isn't urgent
    const { names } = await readRepoNames(new Set(repos.slice(from, from + BATCH)));
    for (const [uid, name] of names) known.set(uid, name);
  }
  const text = ({ uid }: Tag): string => known.get(parentOf(uid)) || parentOf(uid);
  return columnsOf(true, "tags").map((column) => (column.id === "repo" ? { ...column, text } : column));
}
