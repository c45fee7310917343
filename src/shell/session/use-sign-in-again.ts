import { useState } from "react";

import { ownerOf } from "~/auth/session";
import { useSession } from "~/auth/use-session";
import { keepDrafts } from "~/ui/form/drafts";

/** Signs in at the provider and returns to the same place, with the contents of open forms. */
export function useSignInAgain() {
  const session = useSession();
  const [leaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signIn = () => {
    setLeaving(true);
    setProblem(undefined);
    const stay = keepDrafts(ownerOf(session.person));
    session.signInAgain().catch((error: unknown) => {
      stay();
      setLeaving(false);
      setProblem(error instanceof Error ? error.message : String(error));
    });
  };
  return { signIn, leaving, problem };
}
