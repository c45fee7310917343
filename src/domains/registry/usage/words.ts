import { dayOf, eachDay, lastDays, lengthOf } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { exactTime, readTime } from "~/ui/display/time-text";
import { USAGE_DAYS, type UsageRow } from "platform-contract/registry/usage";

import type { Usage } from "./queries";

/** When something was last pulled, as far as that is known. */
export type LastPull =
  | { readonly state: "downloaded" | "asked"; readonly time: string }
  /** It was pushed since pulls are counted. */
  | { readonly state: "not yet" }
  | { readonly state: "unknown"; readonly why: string };

/** Why nothing is known of pulls. */
export const NOT_COUNTED = "Unknown: the registry doesn't report pulls";

/** @param pushed when the tag was last pushed, or the repo created */
export function lastPull(
  { row, countedSince }: Pick<Usage, "row" | "countedSince">,
  pushed: string | undefined,
): LastPull {
  const since = readTime(countedSince);
  if (!since) return { state: "unknown", why: NOT_COUNTED };
  if (row?.lastDownloadTime) return { state: "downloaded", time: row.lastDownloadTime };
  if (row?.lastAskTime) return { state: "asked", time: row.lastAskTime };
  const at = readTime(pushed);
  if (at && at >= since) return { state: "not yet" };
  return { state: "unknown", why: `Unknown: no pull since counting began, ${exactTime(since)}` };
}

/** The days of a period of which pulls are known: all of them, or those since counting began. */
export const knownDays = (countedSince: string | undefined, now: number): number => {
  const since = readTime(countedSince);
  if (!since) return 0;
  return Math.min(USAGE_DAYS, lengthOf({ first: dayOf(since.getTime()), last: dayOf(now) }));
};

/** Why the number of downloads is not known; undefined if it is. Of the days before counting began nothing is known. */
export function countUnknown({ row, countedSince }: Pick<Usage, "row" | "countedSince">, now: number) {
  const since = readTime(countedSince);
  if (!since) return NOT_COUNTED;
  const isPart = knownDays(countedSince, now) < USAGE_DAYS;
  return isPart && !row?.downloads ? `Unknown: none since counting began, ${exactTime(since)}` : undefined;
}

/** "12 downloads, requested 30 times, counted since Jan 28". */
export function pullsText(row: UsageRow | undefined, countedSince: string | undefined, now: number): string {
  const { downloads = 0, asks = 0 } = row ?? {};
  const since = readTime(countedSince);
  return [
    formatQuantity(downloads, "download"),
    ...(asks > 0
      ? [`requested ${asks === 1 ? "once" : `${formatCount(asks)} times`} without downloading`]
      : []),
    ...(since && knownDays(countedSince, now) < USAGE_DAYS ? [`counted since ${exactTime(since)}`] : []),
  ].join(", ");
}

export interface DayOfPulls {
  /** `2026-01-28`, in UTC. */
  readonly day: string;
  readonly downloads: number;
  readonly asks: number;
}

/** A bar for each day of which pulls are known, oldest first. */
export function daysOfPulls(
  rows: readonly UsageRow[],
  countedSince: string | undefined,
  now: number,
): readonly DayOfPulls[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const count = knownDays(countedSince, now);
  return (count === 0 ? [] : eachDay(lastDays(count, now))).map((day) => {
    const { downloads = 0, asks = 0 } = byDay.get(day) ?? {};
    return { day, downloads, asks };
  });
}
