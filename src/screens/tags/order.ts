import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import type { ListView } from "~/resource/define";
import { sorter } from "~/resource/sorter";
import { readOrder, type Column } from "~/ui/table/types";

import { scopeColumns } from "./columns";
import { tagScreens } from "./data";
import { groupByDigest, updatedAt } from "./digest-groups";
import { versionKey } from "./version-order";

const KEYS: Readonly<Record<string, (tag: Tag) => string | number>> = {
  version: ({ name }) => versionKey(name),
  updated_at: updatedAt,
  name: ({ name }) => name,
};

/** Puts the rows of a scan, which reads by name, in the order of a list. */
export function tagSorter(order: string): (rows: readonly Tag[]) => readonly Tag[] {
  const { field, descending } = readOrder(order) ?? { field: "", descending: false };
  return sorter(KEYS[field] ?? (({ uid }: Tag) => uid), descending);
}

/** Rows that were read by name, as the list has them; those of one group next to each other. */
export function inListOrder(rows: readonly Tag[], view: ListView): readonly Tag[] {
  const { order = tagScreens.defaultOrder, by, repo } = view;
  const sorted = tagSorter(order)(rows);
  if (by === undefined) return sorted;
  return groupByDigest(sorted, repo === undefined, order).flatMap(({ tags }) => tags);
}

/** Uids a request, so that its address stays well under the 8 kB that servers take. */
const BATCH = 50;

/** The columns of tags of several repos with the names of these, which the list asks for only as it scrolls. */
export async function namedColumns(rows: readonly Tag[]): Promise<readonly Column<Tag>[]> {
  const { readRepoNames } = await import("~/features/registry/read-repo-names");
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
