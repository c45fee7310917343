import type { ReactNode } from "react";

import { useSessionEnd } from "~/auth/use-session";

import { EndingNotice } from "./session-ending-notice";

/** Warns that a session without renewal is about to end, while the user can still act. */
export function SessionEnding(): ReactNode {
  const end = useSessionEnd();
  return end !== undefined && <EndingNotice key={end} end={end} />;
}
