/** "in 1 second", "in 20 seconds", "in 5 minutes". Rounds up: a retry that is too early is refused again. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * Asks the user to retry, with `status` (429 for one caller, 503 for all) and Retry-After. The message is for the user.
 */
export class TryAgain extends Error {
  constructor(
    readonly status: 429 | 503,
    why: string,
    readonly seconds: number,
  ) {
    super(`${why}. Try again ${inWords(seconds)}.`);
  }
}
