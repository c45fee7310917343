import { useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";

import { hiddenUids } from "~/api/mutations/hidden";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

/** The code of deletions that can be undone, which comes with the first of them; with it the place where that is done. */
export const loadUndo = () => import("./begin");

/** Goes on with the deletions that the page before this one sent when it was left; the code comes where there are any. */
export function DeletionsHost(): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  useEffect(() => {
    if (hiddenUids().size > 0)
      void loadUndo().then(({ restoreDeletions }) => restoreDeletions({ client, owner }));
  }, [client, owner]);
  return null;
}
