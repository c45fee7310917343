/**
 * The time of the clock that stamps records. The user's clock can be hours off; every response has the service's own
 * time (`Date`, RFC 9110, section 6.6.1), which a page of another origin can read only if
 * `Access-Control-Expose-Headers` lists it.
 */

import { Store } from "~/store";

/** Maximum difference between the clocks of one service and of its proxies, in ms. */
const MAX_SKEW_MS = 5 * 60_000;
/** How far ahead this machine's clock can be if the service's time is unknown: usually a wrong time zone at most. */
const MAX_UNKNOWN_SKEW_MS = 24 * 60 * 60_000;

/** Milliseconds by which the service's clock was ahead of this machine's at its last response. */
const ahead = new Store<number | undefined>(() => undefined);

/** Called when the console connects to another service. */
export const forgetTime = ahead.reset;

/** Reads the time of a response, if it is readable. */
export function noteTime({ headers }: Response): void {
  const serverTime = Date.parse(headers.get("date") ?? "");
  if (!Number.isNaN(serverTime)) ahead.set(serverTime - Date.now());
}

/** Milliseconds by which the service's clock is ahead of this machine's, to the second; undefined while unknown. */
export const clockDifference = ahead.get;

/** The service's time in ms, or this machine's while the service's is unknown. */
export const serviceTime = (): number => Date.now() + (ahead.get() ?? 0);

/** No record created from now on has an earlier time than this, in ms by the service's clock. */
export const leastTimeFromNow = (): number =>
  serviceTime() - (ahead.get() === undefined ? MAX_UNKNOWN_SKEW_MS : MAX_SKEW_MS);
