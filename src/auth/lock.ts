import { timeoutSignal } from "platform-client/timeout";

import type { Surroundings } from "./surroundings";

/** Milliseconds before another tab steals the lock: a frozen tab never releases it. */
export const LOCK_TIMEOUT_MS = 5000;

interface Options {
  readonly now: () => number;
  readonly timeoutMs?: number;
  /** Returns a signal that aborts after this time; tests replace it. */
  readonly abortAfter?: (milliseconds: number) => AbortSignal;
}

/**
 * Runs `work` while no other tab runs its own under the same name. Steals a lock that is held for longer than
 * `timeoutMs`; work that loses its lock still finishes, and its result counts.
 */
export async function exclusively<T>(
  locks: Surroundings["locks"],
  name: string,
  work: () => Promise<T>,
  { now, timeoutMs = LOCK_TIMEOUT_MS, abortAfter = timeoutSignal }: Options,
): Promise<T> {
  let running: Promise<T> | undefined;
  let entered: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (entered = resolve));
  const begin = (): Promise<T> => {
    entered();
    return (running = work());
  };
  const holder = async () => (await locks.query()).held?.find((lock) => lock.name === name)?.clientId;

  /** Waits in the queue; undefined if that took too long. */
  const wait = async (): Promise<{ result: T } | undefined> => {
    const signal = abortAfter(timeoutMs);
    try {
      return { result: await locks.request(name, { signal }, begin) };
    } catch (error) {
      // Rejected after the work began: the lock was stolen, or the work failed.
      if (running) return { result: await running };
      if (!signal.aborted) throw error;
      return undefined;
    }
  };

  /** Takes the lock from `stuck`; undefined if another tab was faster. */
  const steal = async (stuck: string | undefined): Promise<{ result: Promise<T> } | undefined> => {
    if ((await holder()) !== stuck) return undefined;
    const stolen = locks.request(name, { steal: true }, begin).catch((error: unknown) => {
      if (running) return running;
      throw error;
    });
    await Promise.race([begun, stolen]);
    return { result: stolen };
  };

  for (;;) {
    const since = now();
    // Queried while queued, so the holder is the tab that this one waits for.
    const [waited, stuck] = await Promise.all([wait(), holder()]);
    if (waited) return waited.result;
    // The whole machine slept, including the holder, which may be about to finish.
    if (now() - since > 2 * timeoutMs) continue;
    // One thief at a time, or impatient tabs would steal from each other.
    const theft = `${name}:theft`;
    const signal = abortAfter(timeoutMs);
    const stolen = await locks
      .request(theft, { signal }, () => steal(stuck))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
        // The other tab froze while it was stealing.
        return steal(stuck);
      });
    if (stolen) return stolen.result;
  }
}
