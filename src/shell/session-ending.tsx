import { useEffect, type ReactNode } from "react";

import { useSessionEnd } from "~/auth/use-session";
import { onDemand } from "~/ui/on-demand";
import { firstUse } from "~/ui/on-first-interaction";

const EndingNotice = onDemand(async () => (await import("./session-ending-notice")).EndingNotice);

/** Says that a session which nothing renews is about to end, while there is still time to do something about it. */
export function SessionEnding(): ReactNode {
  const end = useSessionEnd();
  // Here before it is needed: by then the service may be out of reach.
  useEffect(() => void firstUse().then(EndingNotice.preload), []);
  return end !== undefined && <EndingNotice key={end} end={end} />;
}
