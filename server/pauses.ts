import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which whatever else waits for the thread gets it. */
const STRETCH_MS = 8;

/**
 * For work that takes long at once, such as the records of a page of 4 MB: `pauses()` between two steps lets everybody else's
 * requests go first if the last pause was long ago, and is undefined otherwise, which costs no turn of the event loop.
 */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < STRETCH_MS) return undefined;
    return setImmediate().then(() => void (since = performance.now()));
  };
}
