import { recordActions } from "~/frame/request-inspector/record-actions";
import { deleteAction, type MenuAction } from "~/ui/overlay/menu";

import type { Item } from "~/frame/define";
import type { ListScreen } from "./list-screen";
import { useDeletion } from "~/frame/record/use-deletion";

/** Returns the menu of a row: the list's own entries, those of every record, edit and delete. */
export function useRowMenu<T extends Item, I>(
  { screens, open, refusal }: ListScreen<T, I>,
  actions: ((row: T) => readonly MenuAction[]) | undefined,
): (row: T) => MenuAction[] {
  const { resource, nameOf, deletion } = screens;
  const remove = useDeletion(screens, ({ uid }) => open("delete", uid));
  return (row) => [
    ...(actions?.(row) ?? []),
    ...recordActions(row, nameOf(row)),
    ...(resource.update
      ? [{ label: "Edit", onSelect: () => open("edit", row.uid), disabled: refusal(row, "update") }]
      : []),
    ...(resource.delete ? [deleteAction(deletion.label, () => remove(row), refusal(row, "delete"))] : []),
  ];
}
