import type { Tag } from "~/contract/registry/tags";
import type { ListView } from "~/resource/define";
import { readOrder } from "~/ui/table/types";

import { tagScreens } from "./data";
import { groupByDigest, updatedAt } from "./digest-groups";
import { sorter } from "./sorter";
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
