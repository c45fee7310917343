/** "in 1 second", "in 20 seconds", "in 5 minutes": rounded up, since coming back too early is refused again. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * Not now: answered with `status` (429 for one caller, 503 for everybody) and Retry-After. The message is for the person.
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
