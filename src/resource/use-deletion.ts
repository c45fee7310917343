import { useQueryClient } from "@tanstack/react-query";

import type { DeletableCollection } from "~/api/bulk/deletion";
import { usePerson } from "~/auth/use-session";
import { loadUndo } from "~/features/undo/host";

import type { Item, Screens } from "./define";

/**
 * What "Delete" does with a record: one that nothing depends on goes at once and can be undone for some seconds, then `begun`
 * is called; about every other one somebody is asked (`ask`).
 */
export function useDeletion<T extends Item, I>(
  { resource, nameOf, dependents }: Screens<T, I>,
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
          { client, person, dependents: dependents(uid) },
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
