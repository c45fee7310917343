import { useLayoutEffect, useSyncExternalStore } from "react";

/** How many parts of the page wait for something that is no request of a query: for their code, or for a worker. */
let waiting = 0;
const listeners = new Set<() => void>();

function count(change: 1 | -1): void {
  waiting += change;
  for (const tell of listeners) tell();
}
function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

/** Says that a part of the page waits, so that what is below it doesn't appear yet. */
export function usePartWaits(waits: boolean): void {
  useLayoutEffect(() => {
    if (!waits) return undefined;
    count(1);
    return () => count(-1);
  }, [waits]);
}

/** True while a part of the page waits. */
export const useWaitingParts = (): boolean => useSyncExternalStore(subscribe, () => waiting > 0);
