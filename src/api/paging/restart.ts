import type { ListAnswer } from "~/contract/resource";

/** How long a page token is good for (contract 0.5), less a margin: an older one begins at row one again, silently. */
export const TOKEN_LIFE = (3 * 24 - 1) * 60 * 60_000;

/** Held rows that are compared with a new page. */
const COMPARED = 100;

export interface Row {
  readonly uid?: string;
}

const TIMES: Readonly<Record<string, string>> = {
  created_at: "createTime",
  create_time: "createTime",
  updated_at: "updateTime",
  update_time: "updateTime",
};

const collator = new Intl.Collator("en");
type Compare = (a: string, b: string) => number;
const byCode: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
// What cannot be read as a time says nothing.
const byTime: Compare = (a, b) => Date.parse(a) - Date.parse(b) || 0;
const byWord: Compare = (a, b) => collator.compare(a, b);

/** Whether values rise, or fall; those that are missing say nothing. */
const inOrder = (values: readonly (string | undefined)[], compare: Compare, sign: number): boolean => {
  const known = values.filter((value) => value !== undefined);
  return known.every((value, index) => index === 0 || sign * compare(known[index - 1] ?? "", value) <= 0);
};

/**
 * Whether a page that was asked for by token begins the list again instead of going on: most of it is held already, or
 * it does not follow the last row in the order asked for. By uid and by time the order is certain. Texts are ordered
 * by the service's collation: what is held and the page tell whether it is one that is known here.
 */
export function isRestart(
  held: readonly Row[],
  { items }: ListAnswer<Row>,
  order: string | undefined,
): boolean {
  if (held.length === 0 || items.length === 0) return false;
  const uids = new Set(held.map(({ uid }) => uid));
  const again = items.filter(({ uid }) => uid !== undefined && uids.has(uid)).length;
  if (again * 2 > items.length) return true;

  const [field = "", direction] = order?.split(" ") ?? [];
  if (field === "") return false;
  const sign = direction === "desc" ? -1 : 1;
  const key = TIMES[field] ?? field;
  const read = (row: Row): string | undefined => {
    const value = (row as Readonly<Record<string, unknown>>)[key];
    return typeof value === "string" ? value : undefined;
  };
  const before = held.slice(-COMPARED).map(read);
  const last = before.at(-1);
  const first = items.map(read)[0];
  if (last === undefined || first === undefined) return false;
  const follows = (compare: Compare) => sign * compare(last, first) <= 0;
  if (key === "uid") return !follows(byCode);
  if (TIMES[field] !== undefined) return !follows(byTime);
  const after = items.map(read);
  const fitting = [byCode, byWord].filter(
    (compare) => inOrder(before, compare, sign) && inOrder(after, compare, sign),
  );
  // Few rows are in any order.
  return before.length >= 10 && fitting.length > 0 && !fitting.some(follows);
}
