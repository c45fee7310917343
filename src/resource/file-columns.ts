import type { QueryClient } from "@tanstack/react-query";

import { pathText } from "~/features/scope/ancestors";
import { readAncestorNames } from "~/features/scope/read-ancestor-names";
import type { Column } from "~/ui/table/types";

import { within } from "./ancestor-names";
import { GROUP } from "./columns";
import type { Item } from "./define";

/** The columns of a file, which has no context that tells the names of groups. `keyed`: its rows have the uids of their groups. */
export async function fileColumns<T extends Item>(
  client: QueryClient,
  columns: readonly Column<T>[],
  rows: readonly T[],
  keyed = false,
): Promise<readonly Column<T>[]> {
  const names = await readAncestorNames(client, keyed ? rows.map(within) : rows);
  return columns.map((column) =>
    column.id === GROUP ? { ...column, text: ({ uid }) => pathText(keyed ? `${uid}/` : uid, names) } : column,
  );
}
