import type { BulkItem, JobSnapshot } from "~/api/bulk/bulk-job";
import type { Counts, ItemState } from "~/api/bulk/outcome";
import type { JobWords } from "~/api/bulk/storage";
import { formatCount, formatQuantity } from "~/ui/display/numbers";

const OUTCOMES: Readonly<Record<Exclude<ItemState, "sending" | "done">, string>> = {
  queued: "Queued",
  failed: "Failed",
  unknown: "Unknown",
  canceled: "Canceled",
};

export const outcomeText = (state: ItemState, { doing, done }: JobWords): string =>
  state === "sending" ? doing : state === "done" ? done : OUTCOMES[state];

/** "27 of 30 deleted, 2 failed". */
export function progressText(counts: Counts, { done }: JobWords): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = (["failed", "unknown", "canceled"] as const).filter((state) => counts[state] > 0);
  return [
    `${formatCount(counts.done)} of ${formatCount(all)} ${done.toLowerCase()}`,
    ...parts.map((state) => `${formatCount(counts[state])} ${state}`),
  ].join(", ");
}

/** "Deleting 30 identities (paused)"; when finished, "Deleted 28 of 30 identities". */
export function titleOf(
  words: JobWords,
  { status, items, counts }: Pick<JobSnapshot, "status" | "items" | "counts">,
): string {
  const { doing, done, one, many } = words;
  const quantity = formatQuantity(items.length, one, many);
  if (status !== "finished") return `${doing} ${quantity}${status === "paused" ? " (paused)" : ""}`;
  const some = counts.done === items.length ? "" : `${formatCount(counts.done)} of `;
  return `${done} ${some}${quantity}`;
}

/**
 * Distinct reasons with their item counts, most frequent first. The service's messages contain the item's uid, which is
 * masked: otherwise no two would be equal.
 */
export function reasonsOf(items: readonly BulkItem[]): { reason: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { uid, reason } of items) {
    const shared = reason?.replaceAll(uid, "…");
    if (shared !== undefined) counts.set(shared, (counts.get(shared) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
}

/** Said before a deletion that can be taken back that way. */
export const CREATED_AGAIN =
  "You can undo this afterwards: they are created again, with new IDs and times and without their history.";

export const CREATED_AGAIN_ONE =
  "You can undo this afterwards: it is created again, with a new ID and new times and without its history.";

/** A header row and one row per item, with the IDs of new records if there are any; a report about somebody has no empty column. */
export function csvRows(items: readonly BulkItem[], words: JobWords): string[][] {
  const { by, why } = words;
  const isMade = items.some(({ newUid }) => newUid !== undefined);
  const heads = Object.keys(items[0]?.facts ?? {});
  const rows = [
    [
      "name",
      "uid",
      ...(isMade ? ["new uid"] : []),
      ...heads,
      "outcome",
      "time",
      ...(by === undefined ? [] : ["by"]),
      ...(why === undefined ? [] : ["why"]),
      "reason",
      "request id",
    ],
    ...items.map(({ name, uid, facts, state, at = "", newUid = "", reason = "", requestId = "" }) => [
      name,
      uid,
      ...(isMade ? [newUid] : []),
      ...heads.map((head) => facts?.[head] ?? ""),
      outcomeText(state, words),
      at,
      ...(by === undefined ? [] : [by]),
      ...(why === undefined ? [] : [why]),
      reason,
      requestId,
    ]),
  ];
  if (words.of === undefined) return rows;
  const kept = rows[0]?.map((_, column) => rows.slice(1).some((row) => row[column] !== ""));
  return rows.map((row) => row.filter((_, column) => kept?.[column]));
}
