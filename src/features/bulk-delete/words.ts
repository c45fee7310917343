import type { Counts, ItemState, LedgerItem } from "~/api/bulk/items";
import type { LedgerPlan } from "~/api/bulk/storage";
import type { LedgerFacts } from "~/api/bulk/types";
import { formatCount, formatQuantity } from "~/ui/display/numbers";

export const OUTCOMES: Readonly<Record<ItemState, string>> = {
  queued: "Not sent yet",
  sending: "Deleting",
  waiting: "Waiting",
  checking: "Being checked",
  done: "Deleted",
  gone: "Already gone",
  refused: "Refused",
  failed: "Failed",
  unknown: "Not known",
  unsent: "Not sent",
};

/** "27 of 30 deleted, 2 refused, 1 waiting 2 s": `wait` is what is left of that, in words. */
export function progressText(counts: Counts, wait?: string): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts: readonly (readonly [count: number, words: string])[] = [
    [counts.gone, "of them already gone"],
    [counts.refused, "refused"],
    [counts.failed, "failed"],
    [counts.unknown, "not known"],
    [counts.unsent, "not sent"],
    [counts.checking, "being checked"],
    [counts.waiting, wait === undefined ? "waiting" : `waiting ${wait}`],
  ];
  return [
    `${formatCount(counts.done + counts.gone)} of ${formatCount(all)} deleted`,
    ...parts.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`),
  ].join(", ");
}

/** "Deleting 30 identities". */
export const titleOf = ({ one, many }: LedgerPlan, count: number, run: LedgerFacts["run"]): string =>
  `${BEGINNINGS[run]} ${formatQuantity(count, one, many)}`;

const BEGINNINGS: Readonly<Record<LedgerFacts["run"], string>> = {
  running: "Deleting",
  paused: "Paused: deleting",
  over: "Deletion of",
  elsewhere: "In another tab: deletion of",
};

/**
 * Each reason once, with how many items it is about; the most frequent first. The service's sentences name the item,
 * which is left out here: else no two would be the same.
 */
export function reasonsOf(items: readonly LedgerItem[]): { reason: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { uid, reason } of items) {
    const shared = reason?.replaceAll(uid, "…");
    if (shared !== undefined) counts.set(shared, (counts.get(shared) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
}

/** A header, and a line for each item. */
export const csvRows = (items: readonly LedgerItem[]): (string | undefined)[][] => [
  ["name", "uid", "outcome", "reason", "request id"],
  ...items.map(({ name, uid, state, reason, requestId }) => [name, uid, OUTCOMES[state], reason, requestId]),
];
