import type { QueryKey } from "@tanstack/react-query";

interface Item {
  readonly uid: string;
}

/** Sort fields that are times, and the JSON fields that hold them (AIP-132). */
const TIMES: Readonly<Record<string, string>> = {
  created_at: "createTime",
  updated_at: "updateTime",
  last_seen_time: "lastSeenTime",
};

/** The `order_by` of a list. */
export function orderOf(queryKey: QueryKey): string | undefined {
  const query: { order_by?: string } = Object(queryKey[2]);
  return query.order_by;
}

/**
 * Compares two records by the order of their list: negative if `a` comes first; undefined if that is unknown, because a
 * value is missing or the field is not known here. Services collate names differently: comparing them without
 * case (`byName`) is good enough to find a place for a new row, but not to check the order of a page.
 */
export function compareBy(
  orderBy: string | undefined,
  a: Item,
  b: Item,
  { byName = false } = {},
): number | undefined {
  const [field = "uid", direction] = orderBy?.split(" ") ?? [];
  const time = TIMES[field];
  const valueOf = (item: Item): string | number | undefined => {
    const record: Readonly<Record<string, string | undefined>> = Object(item);
    if (time !== undefined) return Date.parse(record[time] ?? "");
    if (field === "uid") return item.uid;
    return byName && field === "name" ? record["name"]?.toLowerCase() : undefined;
  };
  const [first, second] = [valueOf(a), valueOf(b)];
  if (first === undefined || second === undefined || Number.isNaN(first) || Number.isNaN(second))
    return undefined;
  const sign = first < second ? -1 : first > second ? 1 : 0;
  return direction === "desc" ? -sign : sign;
}
