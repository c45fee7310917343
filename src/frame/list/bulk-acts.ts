import type { ComponentType } from "react";

import { useSelectable, type ActsProps } from "~/frame/bulk-delete/use-selectable";
import type { ListSelection } from "~/ui/table/use-selection";

import type { Item } from "~/frame/define";
import type { ListScreen } from "./list-screen";

/** Returns the `selection` of `<ListRows>` with these buttons. `of`: what they need besides the selected records. */
export const useBulkActs = <T extends Item, I, O>(
  { screens, rows, whole, matches }: ListScreen<T, I>,
  Acts: ComponentType<ActsProps<T> & { readonly of: O }>,
  of: O,
): ListSelection<T> =>
  useSelectable({ many: screens.resource.plural, view: rows.view, list: whole, matches, Acts, of });
