import { useLayoutEffect, useSyncExternalStore } from "react";

import { Store } from "~/store";

/** How many parts of the page wait for something that is no request of a query: for their code, or for a worker. */
const waiting = new Store(() => 0);

/** Says that a part of the page waits, so that what is below it doesn't appear yet. */
export function usePartWaits(waits: boolean): void {
  useLayoutEffect(() => {
    if (!waits) return undefined;
    waiting.set(waiting.get() + 1);
    return () => waiting.set(waiting.get() - 1);
  }, [waits]);
}

/** True while a part of the page waits. */
export const useWaitingParts = (): boolean => useSyncExternalStore(waiting.subscribe, waiting.get) > 0;
