import { ClientLeft } from "./hash-queue";
import type { Attempted, Throttle } from "./throttle";
import { TryAgain } from "./try-again";

/**
 * Runs `work` under the throttle; undefined means that it failed. Does not count if the password was never checked.
 * Throws TryAgain and the errors of `work`.
 */
export async function attempt<T>(
  throttle: Throttle,
  who: Attempted,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const begun = await throttle.begin(who);
  try {
    const done = await work();
    await (done === undefined ? begun.failed() : begun.succeeded());
    return done;
  } catch (error) {
    const untried = error instanceof TryAgain || error instanceof ClientLeft;
    await (untried ? begun.withdrawn() : begun.failed());
    throw error;
  }
}
