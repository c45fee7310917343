import { formatOrder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type Order } from "~/contract/aip";
import type { ListQuery } from "~/contract/resource";

import type { Queries, Row } from "../database";
import { Parameters, type Bind } from "../sql";
import type { PageTokens, Position } from "./page-tokens";

/** A list of things that have a key of their own instead of a uid. */
export interface KeyedList {
  /** `documents.list`; page tokens are bound to it. */
  readonly list: string;
  readonly caller: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly order: Order;
  /** The type of the sort value, if it is not the key; ties break by key, ascending. */
  readonly value?: "text" | "timestamptz" | "bigint" | undefined;
  /** SQL: `select ... as key` for every match, each once, and `... as value` if there is a sort value. */
  readonly keys: (bind: Bind) => string;
}

export interface KeyedPage {
  readonly keys: readonly string[];
  readonly totalCount: string;
  readonly skipped: number;
  /** The token for the page after the first `count` keys; undefined if there is none. */
  readonly next: (count: number) => Promise<string | undefined>;
}

const PAGING = new Set(["page_size", "page_token", "skip", "order_by"]);

interface Keyed {
  readonly key: string;
  readonly value?: string | number | bigint | Date;
}

/** SQL: the condition for rows after a position, and the order. */
function inOrder({ order, value }: KeyedList, position: Position | undefined, bind: Bind): string {
  const [beyond, direction] = order.descending ? ["<", "desc"] : [">", "asc"];
  if (!value) {
    const after = position ? `where m.key ${beyond} ${bind(position.uid)}` : "";
    return `${after} order by m.key ${direction}`;
  }
  const by = `order by m.value ${direction}, m.key`;
  if (!position) return by;
  const at = `${bind(value === "timestamptz" ? new Date(position.value) : position.value)}::${value}`;
  const key = bind(position.uid);
  return `where m.value ${beyond}= ${at} and (m.value ${beyond} ${at} or m.key > ${key}) ${by}`;
}

/** The keys of one page (AIP-158), ordered by key bytes or by value. */
export async function keyedPage(
  queries: Queries,
  tokens: PageTokens,
  request: KeyedList,
): Promise<KeyedPage> {
  const query = request.query as ListQuery;
  const size = Math.min(query.page_size || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
  const skip = query.skip ?? 0;
  const filters = Object.fromEntries(Object.entries(request.query).filter(([name]) => !PAGING.has(name)));
  const binding = { list: request.list, caller: request.caller, order: formatOrder(request.order), filters };
  const position = query.page_token ? await tokens.read(binding, query.page_token) : undefined;
  const total = position?.total ?? (await count(queries, request));
  const { values, bind } = new Parameters();
  const rows = await queries.query<Keyed & Row>(
    `select m.* from (${request.keys(bind)}) m ${inOrder(request, position, bind)}
     limit ${bind(size + 1)} offset ${bind(skip)}`,
    values,
  );
  const keys = rows.map(({ key }) => key);
  return {
    keys: keys.slice(0, size),
    totalCount: total,
    skipped: skip,
    next: async (taken) => {
      const last = rows[taken - 1];
      if (last === undefined || rows.length <= taken) return undefined;
      const { key, value = key } = last;
      const at = value instanceof Date ? value.getTime() : String(value);
      return tokens.write(binding, { value: at, uid: key, total });
    },
  };
}

async function count(queries: Queries, { keys }: KeyedList): Promise<string> {
  const { values, bind } = new Parameters();
  const [row] = await queries.query<Row>(`select count(*) as total from (${keys(bind)}) m`, values);
  return String(row?.["total"] ?? 0);
}
