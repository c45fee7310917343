import type { QueryClient } from "@tanstack/react-query";

import { pathText } from "~/frame/scope/ancestors";
import { readAncestorNames } from "~/frame/scope/read-ancestor-names";
import type { Column } from "~/ui/table/types";

import { within } from "./ancestor-names";
import { GROUP, hasGroup } from "./columns";
import type { Item } from "~/frame/define";

/** Columns for a file, which has no context with group names, and whose cells can't read anything by themselves. `keyed`: its rows share their group's uid. */
export async function fileColumns<T extends Item>(
  client: QueryClient,
  columns: readonly Column<T>[],
  rows: readonly T[],
  keyed = false,
): Promise<readonly Column<T>[]> {
  const names = hasGroup(columns)
    ? await readAncestorNames(client, keyed ? rows.map(within) : rows)
    : new Map<string, string>();
  return Promise.all(
    columns.map(async (column) =>
      column.id === GROUP
        ? { ...column, text: ({ uid }: T) => pathText(keyed ? `${uid}/` : uid, names) }
        : column.readTexts
          ? { ...column, text: await column.readTexts(rows) }
          : column,
    ),
  );
}
