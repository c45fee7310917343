import { parseOrder } from "platform-contract/aip";

import { listPage } from "../platform/store/lists/lists";
import { pageTokens } from "../platform/store/lists/page-tokens";
import type { Case } from "./cases";
import type { World } from "./world";

const ORDERS = ["uid", "name", "created_at desc", "updated_at desc"];
const SORTABLE = ["uid", "name", "created_at", "updated_at"];
const POSITIONS = ["first", "second", "deep"] as const;

type Place = (typeof POSITIONS)[number];

/** Milliseconds of each repeat. */
interface Times {
  readonly http: Record<Place, number[]>;
  readonly bare: Record<Place, number[]>;
}

export interface Result extends Times {
  readonly database: string;
  /** `identities` */
  readonly list: string;
  readonly scope: string;
  /** Number of visible, disjoint groups. */
  readonly roots: number;
  readonly order: string;
  readonly total: number;
  /** True if deep / first is promised to be flat. */
  readonly promised: boolean;
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  times.push(performance.now() - begin);
  return result;
}

const none = (): Record<Place, number[]> => ({ first: [], second: [], deep: [] });

async function measure(world: World, one: Case, order: string, repeats: number): Promise<Result> {
  const { list, reader, query, scope, roots, promised } = one;
  const { database, config } = world.service;
  const tokens = pageTokens(database, config.pageTokenTtl);
  const parsed = parseOrder(order, SORTABLE) ?? { field: "uid", descending: false };
  const words = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const overHttp = (more: Record<string, string>) => {
    const asked = { ...Object.fromEntries(words), order_by: order, ...more };
    return world.get(reader, `${list.path}?${new URLSearchParams(asked)}`);
  };
  const bare = (page_token?: string) =>
    listPage(database, list.table, tokens, {
      list: `${list.collection}.list`,
      caller: reader.key,
      query: { ...query, page_size: 50, ...(page_token !== undefined && { page_token }) },
      order: parsed,
      visibility: { groups: reader.groups },
    });
  const total = Number((await overHttp({ page_size: "1" }))["totalCount"]);
  const tokenAfter = async (row: number) => {
    const page = await overHttp({ page_size: "1", skip: String(Math.max(0, row - 1)) });
    return String(page["nextPageToken"] ?? "");
  };
  const at: Record<Place, string> = {
    first: "",
    second: await tokenAfter(Math.min(50, Math.floor(total / 2))),
    deep: await tokenAfter(Math.floor(total * 0.9)),
  };
  const times: Times = { http: none(), bare: none() };
  // The compared requests take turns, so that other load on the machine affects all of them equally; the first round
  // warms up.
  for (let round = 0; round <= repeats; round++) {
    const into = round === 0 ? { http: none(), bare: none() } : times;
    for (const place of POSITIONS) {
      const token = at[place];
      const page = { page_size: "50", ...(token !== "" && { page_token: token }) };
      await timed(into.http[place], () => overHttp(page));
      await timed(into.bare[place], () => bare(token === "" ? undefined : token));
    }
  }
  return { database: database.kind, list: list.collection, scope, roots, order, total, promised, ...times };
}

/** Measures pages of lists: by list, scope, order, position and number of visible groups. */
export async function measurePages(world: World, cases: readonly Case[], repeats: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of cases)
    for (const order of ORDERS) {
      results.push(await measure(world, one, order, repeats));
      process.stderr.write(".");
    }
  process.stderr.write("\n");
  return results;
}
