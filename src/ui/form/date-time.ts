import { readPreference } from "../preferences";
import { LOCAL_TIMES } from "../display/time-text";

/** The form's value for a time that was only typed in part, which is no time. */
export const INCOMPLETE = "incomplete";

const inUtc = (): boolean => readPreference(LOCAL_TIMES) === null;

/** A time of the API as `<input type="datetime-local">` has it, in the zone in which the user reads times; "" if none. */
export function typedTime(wire: string): string {
  const time = Date.parse(wire);
  if (Number.isNaN(time)) return "";
  const offset = inUtc() ? 0 : new Date(time).getTimezoneOffset();
  return new Date(time - offset * 60_000).toISOString().slice(0, 16);
}

/** A typed time as the API has it; "" if none. */
export function wireTime(typed: string): string {
  const time = Date.parse(inUtc() ? `${typed}Z` : typed);
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}

/** "UTC", or the user's own zone at a time of the API: "GMT+1" in winter, "GMT+2" in summer; now if there is none. */
export function zoneName(wire: string): string {
  if (inUtc()) return "UTC";
  const time = Date.parse(wire);
  const at = Number.isNaN(time) ? new Date() : new Date(time);
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "your time zone";
}

/**
 * The time this many days from now, to the minute, as the control shows it: at the same time of day, also if clocks change
 * until then.
 */
export function inDays(days: number, now = Date.now()): string {
  const time = new Date(Math.ceil(now / 60_000) * 60_000);
  if (inUtc()) time.setUTCDate(time.getUTCDate() + days);
  else time.setDate(time.getDate() + days);
  return time.toISOString();
}
