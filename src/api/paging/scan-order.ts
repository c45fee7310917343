interface Item {
  readonly uid: string;
}

/** Sort fields that are times, and the JSON fields that hold them (contract 0.6). */
const TIMES: Readonly<Record<string, string>> = {
  created_at: "createTime",
  updated_at: "updateTime",
  last_seen_time: "lastSeenTime",
};

/**
 * Which of two records stands first in a list: negative when it is `a`; undefined where this cannot be told, since a
 * value is missing or the field is not known here. Names are compared letter by letter: services collate them in ways
 * of their own, so that this is good enough to find a new row its place, and not to judge an order (`byName`).
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
    const record = item as Item & Readonly<Record<string, string | undefined>>;
    if (time !== undefined) return Date.parse(record[time] ?? "");
    if (field === "uid") return item.uid;
    return byName && field === "name" ? record["name"] : undefined;
  };
  const [first, second] = [valueOf(a), valueOf(b)];
  if (first === undefined || second === undefined || Number.isNaN(first) || Number.isNaN(second))
    return undefined;
  const sign = first < second ? -1 : first > second ? 1 : 0;
  return direction === "desc" ? -sign : sign;
}
