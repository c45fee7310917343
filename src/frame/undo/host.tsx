import { useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";

import { hiddenUids } from "~/api/mutations/hidden";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

/** Loads the code for deletions with undo, and the toasts that show them, with the first deletion. */
export const loadUndo = () => import("./begin");

/** Restores the deletions that the previous page sent when it was left; loads the code only if there are any. */
export function DeletionsHost(): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  useEffect(() => {
    if (hiddenUids().size > 0)
      void loadUndo().then(({ restoreDeletions }) => restoreDeletions({ client, owner }));
  }, [client, owner]);
  return null;
}
