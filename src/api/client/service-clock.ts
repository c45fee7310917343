/**
 * What time it is where records get their times. The clock of somebody's computer may be hours away from it; every
 * answer says the service's own (`Date`, RFC 9110, section 6.6.1), which a page of another origin may read only where
 * `Access-Control-Expose-Headers` names it.
 */

/** How far the clocks of one service, and of what stands before it, may be apart, in ms. */
const APART = 5 * 60_000;
/** How far this machine's clock may be ahead where nobody tells: a wrong time zone is the most that is usual. */
const UNKNOWN_APART = 24 * 60 * 60_000;

/** Milliseconds by which the service's clock was ahead of this machine's when it answered last. */
let ahead: number | undefined;

/** Another service is asked from now on. */
export function forgetTime(): void {
  ahead = undefined;
}

/** Takes the time from an answer, where it may be read. */
export function noteTime({ headers }: Response): void {
  const told = Date.parse(headers.get("date") ?? "");
  if (!Number.isNaN(told)) ahead = told - Date.now();
}

/** Milliseconds by which the service's clock is ahead of this machine's, to the second; undefined while it has told none. */
export const clockDifference = (): number | undefined => ahead;

/** The service's time in ms, or this machine's while the service has not told any. */
export const serviceTime = (): number => Date.now() + (ahead ?? 0);

/** The time that no record made from now on is older than, in ms by the service's clock. */
export const leastTimeFromNow = (): number => serviceTime() - (ahead === undefined ? UNKNOWN_APART : APART);
