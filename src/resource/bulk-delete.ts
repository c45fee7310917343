import type { DeletableCollection } from "~/api/ledger-types";
import type { ListSelection } from "~/kit/list/use-selection";
import { useDeleteMany } from "~/parts/ledger/use-delete-many";

import type { Item } from "./define";
import type { ListScreen } from "./list-screen";

/** Rows can be selected and deleted together: the `selection` of `<ListRows>`. `consequence`: what is lost with them. */
export function useBulkDelete<T extends Item, I>(
  list: ListScreen<T, I>,
  consequence: string,
): ListSelection<T> {
  const { screens, rows, whole, matches, refusal } = list;
  return useDeleteMany<T>({
    resource: screens.resource as DeletableCollection,
    one: screens.resource.noun,
    many: screens.plural,
    nameOf: screens.nameOf,
    consequence,
    view: rows.view,
    list: whole,
    ...(matches && { matches }),
    refusal: (record) => refusal(record, "delete"),
  });
}
