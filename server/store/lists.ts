import { formatOrder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type Order } from "~/contract/aip";
import type { ListQuery } from "~/contract/resource";

import type { Queries, Row } from "./database";
import { partsOf, type Visibility } from "./list-parts";
import type { PageTokens, Position } from "./page-tokens";
import { Parameters, type Bind } from "./sql";
import type { Item, SortColumn, Table } from "./table";

export interface ListRequest {
  /** `groups.list`; page tokens are bound to it. */
  readonly list: string;
  readonly caller: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly order: Order;
  readonly visibility: Visibility;
}

export interface ListResult {
  readonly items: Item[];
  readonly nextPageToken?: string | undefined;
  readonly totalCount: string;
  readonly skipped: number;
}

const UID: SortColumn = { sql: "t.uid", type: "text" };
const PAGING = new Set(["page_size", "page_token", "skip", "order_by"]);

async function count(queries: Queries, table: Table, request: ListRequest): Promise<string> {
  const { values, bind } = new Parameters();
  const sums = partsOf(table, request.query, request.visibility, true, bind).map(({ condition, ranges }) => {
    const own = `select count(*) as n from ${table.name} t where ${condition}`;
    return ranges
      ? `(select coalesce(sum(k.n), 0) from ${ranges} cross join lateral (${own}) k)`
      : `(${own})`;
  });
  if (sums.length === 0) return "0";
  const [row] = await queries.query(`select (${sums.join(" + ")})::bigint as total`, values);
  return String(row?.["total"] ?? 0);
}

/** Rows after a position. Ties break by uid, ascending in either direction (contract 0.6). */
function after({ sql, type, join }: SortColumn, order: Order, { value, uid }: Position, bind: Bind): string {
  if (order.field === "uid") return `t.uid ${order.descending ? "<" : ">"} ${bind(uid)}`;
  const [at, key] = [bind(type === "time" ? new Date(value) : value), bind(uid)];
  // An index of one table finds the place of the pair at once; across two, that of the sort column alone.
  if (!order.descending && !join) return `(${sql}, t.uid) > (${at}, ${key})`;
  const beyond = order.descending ? "<" : ">";
  return `${sql} ${beyond}= ${at} and (${sql} ${beyond} ${at} or t.uid > ${key})`;
}

async function rows(
  queries: Queries,
  table: Table,
  request: ListRequest,
  page: { position: Position | undefined; limit: number; skip: number },
): Promise<Row[]> {
  const { order } = request;
  const { position, limit, skip } = page;
  const sort = order.field === "uid" ? UID : (table.sort[order.field] ?? UID);
  const { values, bind } = new Parameters();
  const direction = order.descending ? "desc" : "asc";
  const sorted = (column: string, uid: string) =>
    order.field === "uid" ? `${uid} ${direction}` : `${column} ${direction}, ${uid}`;
  const beyond = position ? ` and ${after(sort, order, position, bind)}` : "";
  const enough = bind(limit + skip);
  const byUid = order.field === "uid";
  const parts = partsOf(table, request.query, request.visibility, byUid, bind).map(
    ({ condition, ranges }) => {
      const own = `select t.uid, ${sort.sql} as value from ${table.name} t ${sort.join ?? ""}
      where ${condition}${beyond} order by ${sorted(sort.sql, "t.uid")} limit ${enough}`;
      return ranges ? `(select k.uid, k.value from ${ranges} cross join lateral (${own}) k)` : `(${own})`;
    },
  );
  if (parts.length === 0) return [];
  // Only keys are skipped and merged; whole rows are read for the page alone.
  const keys = `select u.uid, u.value from (${parts.join(" union all ")}) u
    order by ${sorted("u.value", "u.uid")} limit ${bind(limit)} offset ${bind(skip)}`;
  return queries.query(
    `select ${table.columns}, keys.value as sort_value from (${keys}) keys
     join ${table.name} t on t.uid = keys.uid ${table.joins} order by ${sorted("keys.value", "t.uid")}`,
    values,
  );
}

/** One page of a list (AIP-158): filtered, ordered, limited to what may be seen; the same cost at any depth. */
export async function listPage(
  queries: Queries,
  table: Table,
  tokens: PageTokens,
  request: ListRequest,
): Promise<ListResult> {
  const query = request.query as ListQuery;
  const size = Math.min(query.page_size || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
  const skip = query.skip ?? 0;
  const filters = Object.fromEntries(Object.entries(request.query).filter(([name]) => !PAGING.has(name)));
  const binding = { list: request.list, caller: request.caller, order: formatOrder(request.order), filters };
  const position = query.page_token ? await tokens.read(binding, query.page_token) : undefined;
  const totalCount = position?.total ?? (await count(queries, table, request));
  // One row more than asked for tells whether there is another page.
  const found = await rows(queries, table, request, { position, limit: size + 1, skip });
  const shown = found.slice(0, size);
  const last = shown.at(-1);
  const answer = { items: shown.map(table.toItem), totalCount, skipped: skip };
  if (!last || found.length <= size) return answer;
  const value = last["sort_value"];
  const here = { value: value instanceof Date ? value.getTime() : String(value), uid: String(last["uid"]) };
  return { ...answer, nextPageToken: await tokens.write(binding, { ...here, total: totalCount }) };
}
