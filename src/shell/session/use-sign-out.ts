import { useState } from "react";

import { hiddenUids } from "~/api/mutations/hidden";
import { useSession } from "~/auth/use-session";
import { loadUndo } from "~/frame/undo/host";
import { dropDrafts } from "~/ui/form/drafts";

/** Milliseconds that signing out waits for pending deletions. */
const SIGN_OUT_TIMEOUT_MS = 3000;

/** Signs the user out, after what they deleted was sent: `leaving` is true meanwhile. */
export function useSignOut(): { readonly leaving: boolean; readonly signOut: () => void } {
  const session = useSession();
  const [leaving, setLeaving] = useState(false);
  const signOut = () => {
    setLeaving(true);
    // Send pending deletions as the user who requested them.
    const sent =
      hiddenUids().size > 0 ? loadUndo().then((undo) => undo.sendDeletions(SIGN_OUT_TIMEOUT_MS)) : undefined;
    void Promise.resolve(sent)
      .then(() => {
        dropDrafts();
        return session.signOut();
      })
      .finally(() => setLeaving(false));
  };
  return { leaving, signOut };
}
