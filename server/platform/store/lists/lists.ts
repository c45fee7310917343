import { createPauses } from "../../../pauses";
import type { Queries, Row } from "../database";
import { Parameters } from "../sql";
import type { Item, Table } from "../table";
import { selectionOf, type Selection, type Visibility } from "./list-parts";
import { isFull, needsTotal, PAGE_BYTES, readRows } from "./list-rows";
import { listedQuery, readPageRequest, type PageRequest, type PageTokens } from "./page-tokens";
import { totalOf } from "./totals";

export interface ListRequest extends PageRequest {
  readonly visibility: Visibility;
  /** Makes what is answered of an item. */
  readonly finish?: (item: Item) => Item;
}

export interface ListResult {
  readonly items: Item[];
  readonly nextPageToken?: string | undefined;
  readonly totalCount: string;
  readonly skipped: number;
}

async function count(queries: Queries, table: Table, selection: Selection): Promise<string> {
  const { values, bind } = new Parameters();
  const [row] = await queries.query(`select ${totalOf(table, selection, bind)} as total`, values);
  return String(row?.["total"] ?? 0);
}

/**
 * The items that fit on a page, at least one, as `finish` makes them. Rows without a weight are small: two hundred are no
 * full page. Others can be 4 MB, so nobody waits for all of them.
 */
async function itemsOf(table: Table, rows: readonly Row[], finish: (item: Item) => Item): Promise<Item[]> {
  if (table.weight === undefined) return rows.map((row) => finish(table.toItem(row)));
  const pauses = createPauses();
  const items: Item[] = [];
  let bytes = 0;
  for (const row of rows) {
    const item = finish(table.toItem(row));
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (items.length > 0 && bytes > PAGE_BYTES) break;
    items.push(item);
    const pause = pauses();
    // oxlint-disable-next-line no-await-in-loop
    if (pause) await pause;
  }
  return items;
}

/** One page of a list (AIP-158): filtered, ordered, limited to what the caller can see; the same cost at any depth. */
export async function listPage(
  queries: Queries,
  table: Table,
  tokens: PageTokens,
  request: ListRequest,
): Promise<ListResult> {
  const { size, skip, position, next } = await readPageRequest(tokens, request);
  const selection = selectionOf(table, listedQuery(request.query), request.visibility);
  // Read one row more than requested to learn whether there is another page.
  const asked = { order: request.order, position, limit: size + 1, skip };
  const isCounted = position !== undefined || needsTotal(selection, asked);
  const before = isCounted ? (position?.total ?? (await count(queries, table, selection))) : undefined;
  const page = { ...asked, total: before === undefined ? undefined : Number(before) };
  const found = await readRows(queries, table, selection, page);
  const [first] = found;
  const beside = first ? first["total"] : skip > 0 ? await count(queries, table, selection) : 0;
  const totalCount = before ?? String(beside);
  const items = await itemsOf(table, found.slice(0, size), request.finish ?? ((item) => item));
  const last = found[items.length - 1];
  const answer = { items, totalCount, skipped: skip };
  if (!last || (found.length === items.length && !isFull(found))) return answer;
  return { ...answer, nextPageToken: await next(last["sort_value"], String(last["uid"]), totalCount) };
}
