import { useSyncExternalStore } from "react";

import { currentJob, isJobOpen, subscribeCurrentJob } from "~/api/bulk/current-job";

const never = () => () => undefined;

/** True while this tab has an unfinished job; there is room for one. */
export function useJobOpen(): boolean {
  const job = useSyncExternalStore(subscribeCurrentJob, currentJob)?.job;
  return useSyncExternalStore(job?.subscribe ?? never, isJobOpen);
}
