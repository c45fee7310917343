import { useEffect, type ReactNode } from "react";

import { useSessionEnd } from "~/auth/use-session";
import { onDemand } from "~/ui/on-demand";
import { firstUse } from "~/ui/on-first-interaction";

const EndingNotice = onDemand(async () => (await import("./session-ending-notice")).EndingNotice);

/** Warns that a session without renewal is about to end, while the user can still act. */
export function SessionEnding(): ReactNode {
  const end = useSessionEnd();
  // Preload: the service may be unreachable by the time it is needed.
  useEffect(() => void firstUse().then(EndingNotice.preload), []);
  return end !== undefined && <EndingNotice key={end} end={end} />;
}
