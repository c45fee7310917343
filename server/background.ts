import { channel } from "node:diagnostics_channel";

import type { Log } from "./log";

/** How a run of regular work ended; `planned`: it has not run yet. */
export interface StepTold {
  readonly step: string;
  readonly result: "planned" | "done" | "failed";
}

/** The channel on which this process tells of its regular work (node:diagnostics_channel). */
export const BACKGROUND = "platform.background";

const told = channel(BACKGROUND);

/** Milliseconds after which a failure that goes on is logged again: less than the time between two sweeps. */
const AGAIN_MS = 240_000;

/** Runs work that no request waits for. @returns whether it succeeded: a failure is logged, and nothing is thrown */
export type RunStep = (step: string, work: () => Promise<unknown>) => Promise<boolean>;

/** @param regular the steps that run by time, which metrics tell; others are only logged */
export function createSteps(log: Log, regular: readonly string[] = []): RunStep {
  const failing = new Map<string, { readonly failures: number; readonly loggedAt: number }>();
  const tell = (step: string, result: StepTold["result"]): void => {
    if (regular.includes(step)) told.publish({ step, result } satisfies StepTold);
  };
  for (const step of regular) tell(step, "planned");
  return async (step, work) => {
    const before = failing.get(step);
    try {
      await work();
    } catch (err) {
      const failures = (before?.failures ?? 0) + 1;
      const isDue = before === undefined || performance.now() - before.loggedAt >= AGAIN_MS;
      if (isDue) log.error({ err, step, failures }, "background work failed");
      failing.set(step, { failures, loggedAt: isDue ? performance.now() : before.loggedAt });
      tell(step, "failed");
      return false;
    }
    failing.delete(step);
    if (before) log.info({ step, failures: before.failures }, "background work succeeds again");
    tell(step, "done");
    return true;
  };
}

/** Does work for each, whatever fails for others; then throws the first failure. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const settled = await Promise.allSettled(items.map(work));
  const failed = settled.filter((one) => one.status === "rejected");
  if (failed[0]) throw failed[0].reason;
}

/** Whoever starts a service waits for answers of it, not for this. */
const FIRST_MS = 60_000;

/** Does work by name, one after the other, soon after the start and again in each interval, until it is stopped. */
export function startRepeated(
  everyMs: number,
  log: Log,
  works: Readonly<Record<string, () => Promise<void>>>,
): { stop(): Promise<void> } {
  const run = createSteps(log);
  const round = async () => {
    for (const [step, work] of Object.entries(works))
      // oxlint-disable-next-line no-await-in-loop -- requests of people come first
      await run(step, work);
  };
  let running = Promise.resolve();
  const next = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      running = round();
      timer = next(everyMs);
    }, ms).unref();
  let timer = next(FIRST_MS);
  return {
    async stop() {
      clearTimeout(timer);
      await running;
    },
  };
}
