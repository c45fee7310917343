import { ApiError, type Uncertainty } from "platform-client/errors";
import { withTimeout } from "platform-client/timeout";

/** Milliseconds before each read: a request that was cut off can still be carried out after the first one. */
const DELAYS = [0, 1000, 3000];
/** Timeout of one read, in ms. */
const READ_TIMEOUT_MS = 10_000;

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A failed write that may have worked anyway. */
export type UncertainError = ApiError & { readonly outcomeUncertain: Uncertainty };

export const isUncertain = (error: unknown): error is UncertainError =>
  error instanceof ApiError && error.outcomeUncertain !== undefined;

/**
 * True if a POST may have worked. A browser sends one again by itself when a reused connection is reset: the service may
 * then be starting and refuse the second one, after the first had worked.
 */
export const mayHaveWorked = (error: unknown): error is ApiError =>
  isUncertain(error) || (error instanceof ApiError && error.http === 503);

/**
 * Reads the outcome of a write that got no response, until it is `settled`; only once if the service is done with the
 * write. Resolves to the last response, or to undefined if the last read got none. Rejects with the ApiError of a read
 * that was refused.
 */
export async function pollOutcome<T>(
  uncertainty: Uncertainty,
  read: (signal: AbortSignal) => Promise<T>,
  settled: (answer: T) => boolean,
): Promise<T | undefined> {
  let last: T | undefined;
  for (const delay of DELAYS) {
    if (delay > 0) await sleep(delay);
    try {
      last = await withTimeout(READ_TIMEOUT_MS, read);
      if (uncertainty === "processed" || settled(last)) return last;
    } catch (error) {
      if (error instanceof ApiError && error.kind === "refused" && !error.passing) throw error;
      last = undefined;
    }
  }
  return last;
}
