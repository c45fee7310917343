import { withTimeout } from "~/auth/timeout";

import { ApiError } from "../client/errors";

/** Milliseconds before each look: a request that was cut off on its way may still be carried out after the first. */
const WAITS = [0, 1000, 3000];
/** Milliseconds for one look. */
const PATIENCE = 10_000;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Reads, until it is `settled`, what became of a write that nobody answered. Gives the last answer; undefined when the
 * last look was not answered either. Throws the ApiError of a look that was refused.
 */
export async function pollOutcome<T>(
  doubt: "late" | "done",
  read: (signal: AbortSignal) => Promise<T>,
  settled: (answer: T) => boolean,
): Promise<T | undefined> {
  let last: T | undefined;
  for (const wait of WAITS) {
    if (wait > 0) await pause(wait);
    try {
      last = await withTimeout(PATIENCE, read);
      if (doubt === "done" || settled(last)) return last;
    } catch (error) {
      if (error instanceof ApiError && error.kind === "refused" && !error.passing) throw error;
      last = undefined;
    }
  }
  return last;
}
