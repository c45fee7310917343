import { useQueryClient } from "@tanstack/react-query";

import type { DeletableCollection } from "~/api/bulk/deletion";
import { usePerson } from "~/auth/use-session";
import { loadUndo } from "~/frame/undo/host";

import type { Item, Screens } from "~/frame/define";

/**
 * Returns what "Delete" does with a record: if nothing depends on it, deletes it immediately, with some seconds to
 * undo, and calls `begun`; otherwise calls `ask`, which asks the user first.
 */
export function useDeletion<T extends Item, I>(
  { resource, nameOf, deletion: { dependents, before } }: Screens<T, I>,
  ask: (record: T) => void,
  begun?: (uid: string) => void,
): (record: T) => void {
  const client = useQueryClient();
  const person = usePerson();
  return (record) => {
    const { uid } = record;
    if (!dependents) return ask(record);
    loadUndo()
      .then(({ beginDeletion }) =>
        beginDeletion(
          {
            client,
            person,
            dependents: dependents(uid),
            before: before && (() => before(record, client)),
          },
          resource as typeof resource & DeletableCollection,
          { uid, name: nameOf(record) },
        ),
      )
      .then(
        (begins) => (begins ? begun?.(uid) : ask(record)),
        () => ask(record),
      );
  };
}
