/** The reason of a timeout; its name differs from a caller's abort. */
const late = (): DOMException => new DOMException("The request timed out.", "TimeoutError");

/**
 * Runs `work`, the reading of a body included, with a signal that aborts after so many milliseconds or with `outer`. The
 * timer is our own and holds the signal: engines have forgotten the one of an `AbortSignal.timeout` that nothing but a
 * request referred to, or of an `AbortSignal.any` around it, and a stalling answer was never given up.
 */
export async function withTimeout<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow);
  const timer = setTimeout(() => controller.abort(late()), milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", follow);
  }
}

/** A signal that aborts after so many milliseconds, for a wait that does not end with the work. */
export function timeoutSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(late()), milliseconds);
  return controller.signal;
}
