import { readPreference } from "../preferences";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

/** Parses a timestamp from the wire; undefined if absent, invalid, or a zero protobuf timestamp. */
export function readTime(text: string | undefined | null): Date | undefined {
  if (!text || text.startsWith("0001-01-01")) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * "3 hours ago", "in 2 days"; "just now" within a minute either way, since clocks always differ. Ages are rounded down,
 * as everywhere; what lies ahead to the nearest, so that an invite of seven days doesn't begin with "in 6 days".
 */
export function relativeTime(date: Date, now: number): string {
  const seconds = (date.getTime() - now) / 1000;
  for (const [index, [unit, size]] of UNITS.entries()) {
    if (seconds < 0 ? -seconds >= size : nearest(seconds, UNITS[index + 1]?.[1] ?? 1) >= size)
      return relative.format(seconds < 0 ? Math.trunc(seconds / size) : Math.round(seconds / size), unit);
  }
  return "just now";
}

/** Rounded to a multiple of `step`. */
const nearest = (seconds: number, step: number): number => Math.round(seconds / step) * step;

/** The preference for exact times in the browser's own time zone; UTC if it is not set. */
export const LOCAL_TIMES = "local-times";

/** Swedish writes dates as ISO 8601 does: easy to sort, compare and search for in a log. */
const clock = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "medium", ...(timeZone && { timeZone }) });
const zone = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" });
const clocks = { utc: clock("UTC"), local: clock(undefined) };

/** "2026-01-28 12:54:21 UTC", or "2026-01-28 13:54:21 GMT+1" if the user prefers local times. */
export function exactTime(date: Date): string {
  if (readPreference(LOCAL_TIMES) === null) return `${clocks.utc.format(date)} UTC`;
  const offset = zone.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${clocks.local.format(date)} ${offset}`.trimEnd();
}

function age(since: number, now: number): string {
  const seconds = Math.max(0, Math.trunc((now - since) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.trunc(seconds / 60)} min ago`;
  return `${Math.trunc(seconds / 3600)} h ago`;
}

/** In ms. Nobody counts the first seconds. */
const JUST_NOW = 5_000;

/** "updated just now", "updated 12 s ago": the age of the data on screen. */
export const ageText = (since: number, now: number): string =>
  `updated ${now - since < JUST_NOW ? "just now" : age(since, now)}`;

/** "· from 5 min ago": the age of the data, after the reason why it is stale. */
export const fromText = (since: number, now: number): string => `\u00b7 from ${age(since, now)}`;
