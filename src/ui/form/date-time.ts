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

/** "UTC", or the user's own zone: "GMT+1". */
export function zoneName(): string {
  if (inUtc()) return "UTC";
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(new Date());
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "your time zone";
}

const DAY_MS = 86_400_000;

/** The time this many days from now, to the minute, as the control shows it. */
export const inDays = (days: number, now = Date.now()): string =>
  new Date(Math.ceil((now + days * DAY_MS) / 60_000) * 60_000).toISOString();
