import { useSyncExternalStore, type ReactNode } from "react";

import { hasJob, subscribeCurrentJob } from "~/api/bulk/current-job";
import { onDemand } from "~/ui/on-demand";

const Panel = onDemand(async () => (await import("./panel")).BulkPanel);

/** Shows this tab's bulk job on every screen; loads the code with the first job. */
export function BulkDeleteHost(): ReactNode {
  return useSyncExternalStore(subscribeCurrentJob, hasJob) ? <Panel /> : null;
}
