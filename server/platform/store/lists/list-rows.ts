import type { Order } from "platform-contract/aip";
import { by, byDescending } from "platform-contract/order";

import type { Queries, Row } from "../database";
import { Parameters, type Bind } from "../sql";
import type { SortColumn, Table } from "../table";
import {
  atRootLevel,
  boundsOf,
  FEW,
  high,
  inEach,
  inRanges,
  low,
  onWalk,
  walksBy,
  type Range,
  type Selection,
} from "./list-parts";
import type { Position } from "./page-tokens";
import { totalOf } from "./totals";

export interface Page {
  readonly order: Order;
  /** The row after which the page begins. */
  readonly position: Position | undefined;
  /** Rows to read. */
  readonly limit: number;
  readonly skip: number;
  /** The total of the list, as counted for its first page; undefined to count it in the same statement. */
  readonly total: number | undefined;
}

/**
 * No index of one table returns a subtree ordered by name or time: either the rows are found by uid and sorted, or the
 * order's index is walked past everybody else's rows. The database chooses by statistics, and these cannot know that
 * the names of one folder are close together: for a small folder the walk may then pass the whole table. The total is
 * known, so a small list is sorted, which costs a few milliseconds at any depth. For a large one, the walk soon finds
 * enough; one row for each ancestor, `(ancestor, name, uid)`, would be flat for both, at ten rows a record.
 */
const SORTED_AT_ONCE = 2_000;

const UID: SortColumn = { sql: "t.uid", type: "text" };

/** What a page is sorted by, as SQL, and whether that descends. */
interface Sort extends SortColumn {
  readonly descends: boolean;
}

function sortOf(table: Table, { field, descending: descends }: Order): Sort {
  const column = (field === "uid" ? undefined : table.sort[field]) ?? UID;
  const { descending } = column;
  return descends && descending !== undefined
    ? { ...column, sql: descending, descends: false }
    : { ...column, descends };
}

type Asked = Pick<Page, "order" | "skip">;

/** True if no index has the order, so that the total decides how the rows are read. */
function dependsOnTotal(table: Table, { filtered, parent }: Selection, { order }: Asked): boolean {
  const indexed = parent !== undefined && table.childOrders?.includes(order.field);
  return order.field !== "uid" && !filtered && !indexed;
}

/** True if the rows are read range by range, each with a statement of its own. */
const isInTurn = ({ filtered, parent, ranges }: Selection, { order, skip }: Asked): boolean =>
  order.field === "uid" && skip === 0 && ranges.length > FEW && !filtered && parent === undefined;

/** True if the total has to be counted in a statement of its own. */
export const needsTotal = isInTurn;

/** SQL: rows after a position. Ties break by uid, ascending in either direction (AIP-132). */
function after(
  { value, uid }: { value: string; uid: string },
  { sql, type, join, descends }: Sort,
  { position }: Page,
  bind: Bind,
): string {
  if (!position) return "true";
  if (sql === UID.sql) return `${uid} ${descends ? "<" : ">"} ${bind(position.uid)}`;
  const at = bind(type === "time" ? new Date(position.value) : position.value);
  const key = bind(position.uid);
  // An index on one table finds the pair directly; across two tables, only the sort column has an index.
  if (!descends && !join) return `(${value}, ${uid}) > (${at}, ${key})`;
  const beyond = descends ? "<" : ">";
  return `${value} ${beyond}= ${at} and (${value} ${beyond} ${at} or ${uid} > ${key})`;
}

const sortedBy = ({ sql, descends }: Sort, { value, uid }: { value: string; uid: string }): string => {
  const direction = descends ? "desc" : "asc";
  return sql === UID.sql ? `${uid} ${direction}` : `${value} ${direction}, ${uid}`;
};

/** SQL: the first keys in the ranges, as (uid, value); `counted` has the total if the page has none. */
function keysInRanges(table: Table, selection: Selection, page: Page, bind: Bind): string {
  if (!dependsOnTotal(table, selection, page)) return walkedKeys(table, selection, page, bind);
  if (page.total !== undefined)
    return (page.total <= SORTED_AT_ONCE ? sortedKeys : walkedKeys)(table, selection, page, bind);
  // Of the two, the database runs only the one whose condition holds, which it tries first: it is the same for all rows.
  return `select s.uid, s.value from (${sortedKeys(table, selection, page, bind)}) s
      where (select n from counted) <= ${SORTED_AT_ONCE}
    union all select w.uid, w.value from (${walkedKeys(table, selection, page, bind)}) w
      where (select n from counted) > ${SORTED_AT_ONCE}`;
}

/** SQL: the rows are found by uid and sorted. */
function sortedKeys(table: Table, selection: Selection, page: Page, bind: Bind): string {
  const { ranges, parent, filtered } = selection;
  const sort = sortOf(table, page.order);
  const from = `from ${table.name} t ${sort.join ?? ""}`;
  const select = `select t.uid, ${sort.sql} as value`;
  const several = ranges.length > 1 && !filtered && parent === undefined;
  // `offset 0` keeps the planner from pushing conditions and order into the query.
  const rows = several
    ? `select k.uid, k.value from ${boundsOf(ranges, bind)}
       cross join lateral (${select} ${from} where ${inEach(selection, bind)} offset 0) k`
    : `${select} ${from} where ${inRanges(selection, bind)}`;
  const key = { value: "r.value", uid: "r.uid" };
  return `select r.uid, r.value from (${rows} offset 0) r
    where ${after(key, sort, page, bind)} order by ${sortedBy(sort, key)}
    limit ${bind(page.limit + page.skip)}`;
}

/** SQL: the order's index is walked. */
function walkedKeys(table: Table, selection: Selection, page: Page, bind: Bind): string {
  const { ranges, parent, filtered } = selection;
  const sort = sortOf(table, page.order);
  const enough = bind(page.limit + page.skip);
  const from = `from ${table.name} t ${sort.join ?? ""}`;
  const select = `select t.uid, ${sort.sql} as value`;
  const several = ranges.length > 1 && !filtered && parent === undefined;

  const own = { value: sort.sql, uid: "t.uid" };
  const rest = `${after(own, sort, page, bind)} order by ${sortedBy(sort, own)} limit ${enough}`;
  const { walks } = selection;
  if (walks?.fields.includes(page.order.field))
    return `select k.uid, k.value from ${walksBy(walks, bind)}
      cross join lateral (${select} ${from} where ${onWalk(selection, walks, bind)} and ${rest}) k`;
  return several && page.order.field === "uid"
    ? `select k.uid, k.value from ${boundsOf(ranges, bind)}
       cross join lateral (${select} ${from} where ${inEach(selection, bind)} and ${rest}) k`
    : `${select} ${from} where ${inRanges(selection, bind)} and ${rest}`;
}

async function read(queries: Queries, table: Table, selection: Selection, page: Page): Promise<Row[]> {
  const { values, bind } = new Parameters();
  const sort = sortOf(table, page.order);
  const own = { value: sort.sql, uid: "t.uid" };
  const parts: string[] = [];
  if (selection.ranges.length > 0) parts.push(`(${keysInRanges(table, selection, page, bind)})`);
  const rooted = atRootLevel(selection, bind);
  if (rooted !== undefined)
    parts.push(`(select t.uid, ${sort.sql} as value from ${table.name} t ${sort.join ?? ""}
      where ${rooted} and ${after(own, sort, page, bind)}
      order by ${sortedBy(sort, own)} limit ${bind(page.limit + page.skip)})`);
  if (parts.length === 0) return [];
  // Skips and merges only keys; reads whole rows only for the page itself.
  const keys = `select u.uid, u.value from (${parts.join(" union all ")}) u
    order by ${sortedBy(sort, { value: "u.value", uid: "u.uid" })}
    limit ${bind(page.limit)} offset ${bind(page.skip)}`;
  const order = sortedBy(sort, { value: "keys.value", uid: "t.uid" });
  const isCounted = page.total === undefined;
  const total = isCounted ? ", (select n from counted) as total" : "";
  const counted = isCounted
    ? `with counted (n) as materialized (select ${totalOf(table, selection, bind)}) `
    : "";
  const rows = (more: string) =>
    `select ${table.columns}, keys.value as sort_value ${more} from (${keys}) keys
     join ${table.name} t on t.uid = keys.uid ${table.joins}`;
  if (table.weight === undefined) return queries.query(`${counted}${rows(total)} order by ${order}`, values);
  // Don't even read what the page has no room for: two hundred of the largest records are fifty times a page.
  const sum = `sum(${table.weight}) over (order by ${order} rows unbounded preceding)`;
  const room = `page.${SO_FAR} - page.weight < ${bind(PAGE_BYTES)}`;
  return queries.query(
    `${counted}select * ${total} from (${rows(`, ${table.weight} as weight, ${sum} as ${SO_FAR}`)}) page where ${room}
     order by ${sortedBy(sort, { value: "page.sort_value", uid: "page.uid" })}`,
    values,
  );
}

/** Bytes after which a page ends (AIP-158 allows fewer rows than requested); one row may exceed it. */
export const PAGE_BYTES = 4_000_000;
/** The column with the running total of weights, including the row itself. */
const SO_FAR = "so_far";

/** True if these rows fill a page by size, so that more may follow although fewer than requested were read. */
export const isFull = (rows: readonly Row[]): boolean => Number(rows.at(-1)?.[SO_FAR] ?? 0) >= PAGE_BYTES;

/**
 * In uid order the ranges follow each other, so a page needs only those at or after its position, and mostly only the
 * first of them: reading all of a thousand would cost as much as a hundred pages.
 */
async function readInTurn(queries: Queries, table: Table, selection: Selection, page: Page): Promise<Row[]> {
  const { position, order, limit } = page;
  const ahead = (range: Range) =>
    !position || (order.descending ? low(range) < position.uid : high(range) > position.uid);
  const ranges = (order.descending ? selection.ranges.toReversed() : selection.ranges).filter(ahead);
  for (let taken = FEW; ; taken *= 4) {
    const some = { ...selection, ranges: ranges.slice(0, taken), rootLevel: undefined };
    const rows = await read(queries, table, some, page);
    if (rows.length === limit || isFull(rows) || taken >= ranges.length) return rows;
  }
}

/** Like readInTurn, merged with the rows at root level, which are read once, however many ranges it takes. */
async function readByUid(queries: Queries, table: Table, selection: Selection, page: Page): Promise<Row[]> {
  const rooted = selection.rootLevel && read(queries, table, { ...selection, ranges: [] }, page);
  const [rows, more = []] = await Promise.all([readInTurn(queries, table, selection, page), rooted]);
  const uidOf = (row: Row) => String(row["uid"]);
  // Uids are ASCII, so this is the database's byte order.
  const sorted = [...rows, ...more].toSorted((page.order.descending ? byDescending : by)(uidOf));
  // A full result stops before all of its rows were read, so nothing may follow its last row.
  const last = [rows, more].filter(isFull).map((full) => sorted.findIndex((row) => row === full.at(-1)) + 1);
  return sorted.slice(0, Math.min(page.limit, ...last));
}

/** The rows of a page, each with `sort_value`, and with `total` if the page has none. */
export async function readRows(
  queries: Queries,
  table: Table,
  selection: Selection,
  page: Page,
): Promise<Row[]> {
  return isInTurn(selection, page)
    ? readByUid(queries, table, selection, page)
    : read(queries, table, selection, page);
}
