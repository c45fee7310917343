import type { DeletableCollection } from "~/api/bulk/deletion";
import type { ListSelection } from "~/ui/table/use-selection";
import { useDeleteMany, type DeletionWords } from "~/frame/bulk-delete/use-delete-many";
import { GroupsAbove } from "~/frame/scope/groups-above";

import type { Item } from "~/frame/define";
import type { ListScreen } from "./list-screen";

type Words<T> = Partial<Pick<DeletionWords<T>, "Where" | "typed" | "again" | "differs" | "More">>;

/** Returns the `selection` of `<ListRows>` that deletes selected rows. `consequence`: what is lost with them. */
export function useBulkDelete<T extends Item, I>(
  list: ListScreen<T, I>,
  consequence: string,
  { Where = GroupsAbove, ...words }: Words<T> = {},
): ListSelection<T> {
  const { screens, rows, whole, matches, refusal } = list;
  return useDeleteMany<T>({
    resource: screens.resource as DeletableCollection,
    one: screens.resource.noun,
    many: screens.resource.plural,
    nameOf: screens.nameOf,
    Where,
    ...words,
    changesAccess: screens.deletion.changesAccess,
    consequence,
    view: rows.view,
    list: whole,
    ...(matches && { matches }),
    refusal: (record) => refusal(record, "delete"),
  });
}
