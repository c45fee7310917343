import type { Surroundings } from "./surroundings";

/** Milliseconds that a tab may hold the lock before another one takes it: a frozen tab never gives it back. */
const PATIENCE = 5000;

/**
 * Runs `work` while no other tab runs its own under the same name. After five seconds of waiting the lock is stolen;
 * work that loses its lock this way still comes to its end, and its result counts.
 */
export async function exclusively<T>(
  locks: Surroundings["locks"],
  name: string,
  work: () => Promise<T>,
  signal: AbortSignal = AbortSignal.timeout(PATIENCE),
): Promise<T> {
  let running: Promise<T> | undefined;
  const begin = (): Promise<T> => (running = work());
  try {
    return await locks.request(name, { signal }, begin);
  } catch (error) {
    // Rejected although the work began: stolen from us, or the work's own failure.
    if (running) return running;
    if (!signal.aborted) throw error;
  }
  try {
    return await locks.request(name, { steal: true }, begin);
  } catch (error) {
    if (running) return running;
    throw error;
  }
}
