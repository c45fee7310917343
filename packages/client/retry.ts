import { ApiError } from "./errors";

/** Milliseconds before try `failures + 1`: 300, 900, 2700 plus or minus a third, and at least what the service asks. */
export function retryDelay(failures: number, error: unknown): number {
  const backOff = 300 * 3 ** failures * (2 / 3 + Math.random() * (2 / 3));
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(backOff, asked);
}

/**
 * Seconds that a service asks to wait before the next try. One that says "too many requests" and not when to come back
 * does not want a retry: Infinity.
 */
export const askedWait = ({ retryAfter, http }: ApiError): number =>
  retryAfter ?? (http === 429 ? Infinity : 0);

/** True if sending a request again can help and cannot do it twice; `repeatable`: carrying it out again is harmless. */
export const canRetry = (error: unknown, repeatable: boolean): error is ApiError =>
  error instanceof ApiError && error.passing && (repeatable || error.outcomeUncertain === undefined);

/** Resolves after this time; rejects with the reason of `signal` as soon as that aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
