import type { Surroundings } from "./surroundings";

/** Milliseconds that a tab may hold the lock before another one takes it: a frozen tab never gives it back. */
export const PATIENCE = 5000;

/**
 * Runs `work` while no other tab runs its own under the same name. After `patience` of waiting the lock is stolen;
 * work that loses its lock this way still comes to its end, and its result counts.
 */
export async function exclusively<T>(
  locks: Surroundings["locks"],
  name: string,
  work: () => Promise<T>,
  options: {
    readonly now: () => number;
    readonly patience?: number;
    /** When patience ends; tests bring their own. */
    readonly timeout?: (milliseconds: number) => AbortSignal;
  },
): Promise<T> {
  const { now, patience = PATIENCE, timeout = (milliseconds) => AbortSignal.timeout(milliseconds) } = options;
  let running: Promise<T> | undefined;
  const begin = (): Promise<T> => (running = work());
  let slept: boolean;
  do {
    const since = now();
    const signal = timeout(patience);
    try {
      return await locks.request(name, { signal }, begin);
    } catch (error) {
      // Rejected although the work began: stolen from us, or the work's own failure.
      if (running) return running;
      if (!signal.aborted) throw error;
    }
    // The whole machine slept, and whoever holds the lock with it: that tab may be about to finish.
    slept = now() - since > 2 * patience;
  } while (slept);
  try {
    return await locks.request(name, { steal: true }, begin);
  } catch (error) {
    if (running) return running;
    throw error;
  }
}
