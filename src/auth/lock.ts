import type { Surroundings } from "./surroundings";
import { timeoutSignal } from "./timeout";

/** Milliseconds that a tab may hold the lock before another one takes it: a frozen tab never gives it back. */
export const PATIENCE = 5000;

interface Options {
  readonly now: () => number;
  readonly patience?: number;
  /** When patience ends; tests bring their own. */
  readonly timeout?: (milliseconds: number) => AbortSignal;
}

/**
 * Runs `work` while no other tab runs its own under the same name. A lock that one tab has held for `patience` is
 * stolen from it; work that loses its lock this way still comes to its end, and its result counts.
 */
export async function exclusively<T>(
  locks: Surroundings["locks"],
  name: string,
  work: () => Promise<T>,
  { now, patience = PATIENCE, timeout = timeoutSignal }: Options,
): Promise<T> {
  let running: Promise<T> | undefined;
  let entered: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (entered = resolve));
  const begin = (): Promise<T> => {
    entered();
    return (running = work());
  };
  const holder = async () => (await locks.query()).held?.find((lock) => lock.name === name)?.clientId;

  /** Waits in the queue; undefined when patience ended before it was our turn. */
  const wait = async (): Promise<{ result: T } | undefined> => {
    const signal = timeout(patience);
    try {
      return { result: await locks.request(name, { signal }, begin) };
    } catch (error) {
      // Rejected although the work began: stolen from us, or the work's own failure.
      if (running) return { result: await running };
      if (!signal.aborted) throw error;
      return undefined;
    }
  };

  /** Takes the lock from `stuck`; undefined when somebody else did that meanwhile. */
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
    // Asked once we are in the queue: who holds it now is who we wait for.
    const [waited, stuck] = await Promise.all([wait(), holder()]);
    if (waited) return waited.result;
    // The whole machine slept, and whoever holds the lock with it: that tab may be about to finish.
    if (now() - since > 2 * patience) continue;
    // One thief at a time. Several that lose patience together would steal from one another, each in the middle of it.
    const theft = `${name}:theft`;
    const signal = timeout(patience);
    const stolen = await locks
      .request(theft, { signal }, () => steal(stuck))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
        // Frozen while it stole.
        return steal(stuck);
      });
    if (stolen) return stolen.result;
  }
}
