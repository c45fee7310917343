/** The abort reason of a timeout; its name differs from a caller's abort. */
const late = (): DOMException => new DOMException("The request timed out.", "TimeoutError");

/**
 * Runs `work`, including reading a body, with a signal that aborts after this time or with `outer`. Uses its own timer,
 * which holds the signal: engines have collected an `AbortSignal.timeout` that only a request referenced, or one inside
 * an `AbortSignal.any`, so that a stalled response never timed out.
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

/** Returns a signal that aborts after this time, for a wait that does not end with the work. */
export function timeoutSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(late()), milliseconds);
  return controller.signal;
}
