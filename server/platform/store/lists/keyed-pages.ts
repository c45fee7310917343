import type { Queries, Row } from "../database";
import { Parameters, type Bind } from "../sql";
import { readPageRequest, type PageRequest, type PageTokens, type Position } from "./page-tokens";

/** A list of things that have a key of their own instead of a uid. */
export interface KeyedList extends PageRequest {
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
  const { size, skip, position, next } = await readPageRequest(tokens, request);
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
      return next(value, key, total);
    },
  };
}

async function count(queries: Queries, { keys }: KeyedList): Promise<string> {
  const { values, bind } = new Parameters();
  const [row] = await queries.query<Row>(`select count(*) as total from (${keys(bind)}) m`, values);
  return String(row?.["total"] ?? 0);
}
