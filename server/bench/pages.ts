import { parseOrder } from "~/contract/aip";

import { deepestIndex, planGroups, scaleUid, wideIndex, type ScaleSize } from "../seed/scale-plan";
import { viewerEmail } from "../seed/scale-people";
import { identitiesTable } from "../store/identities";
import { listPage } from "../store/lists";
import { pageTokens } from "../store/page-tokens";
import type { Reader, World } from "./world";

const ORDERS = ["uid", "name", "created_at desc", "updated_at desc"];
const SORTABLE = ["uid", "name", "created_at", "updated_at"];
const POSITIONS = ["first", "second", "deep"] as const;

type Place = (typeof POSITIONS)[number];

/** Milliseconds of every repeat. */
interface Times {
  readonly http: Record<Place, number[]>;
  readonly bare: Record<Place, number[]>;
}

export interface Result extends Times {
  readonly database: string;
  readonly scope: string;
  /** Visible groups that lie apart. */
  readonly roots: number;
  readonly order: string;
  readonly total: number;
  /** Whether deep / first is promised to be flat. */
  readonly promised: boolean;
}

interface Case {
  readonly scope: string;
  readonly roots: number;
  readonly reader: Reader;
  readonly query: Readonly<Record<string, string>>;
}

/** A folder with a twentieth or so of everything: neither all nor nothing. */
async function middleFolder({ service }: World, uids: readonly string[], size: ScaleSize): Promise<string> {
  const level = uids.filter((uid) => uid.length === scaleUid.length + 17).slice(0, 60);
  const rows = await service.database.query<{ uid: string; n: number }>(
    `select a.uid, k.n from unnest($1::text[]) as a (uid) cross join lateral
       (select count(*)::int as n from identities t where t.uid > a.uid || '/' and t.uid < a.uid || '0') k`,
    [level],
  );
  const off = ({ n }: { n: number }) => Math.abs(n - size.identities / 20);
  return rows.toSorted((a, b) => off(a) - off(b))[0]?.uid ?? scaleUid;
}

async function casesOf(world: World, size: ScaleSize, visible: readonly number[]): Promise<Case[]> {
  const { uids } = planGroups(size);
  const owner = await world.reader(world.service.config.adminEmail);
  const folder = await middleFolder(world, uids, size);
  const crowded = uids[uids.length > wideIndex(size) ? wideIndex(size) : deepestIndex(size)] ?? "";
  const cases: Case[] = [
    { scope: "organization", roots: 1, reader: owner, query: { "uidp.descendants_of": scaleUid } },
    { scope: "folder", roots: 1, reader: owner, query: { "uidp.descendants_of": folder } },
    { scope: "one group", roots: 1, reader: owner, query: { "uidp.children_of": crowded } },
  ];
  for (const roots of visible)
    cases.push({
      scope: "everything seen",
      roots,
      reader: await world.reader(viewerEmail(roots)),
      query: {},
    });
  return cases;
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  times.push(performance.now() - begin);
  return result;
}

const none = (): Record<Place, number[]> => ({ first: [], second: [], deep: [] });

async function measure(world: World, one: Case, order: string, repeats: number): Promise<Result> {
  const { reader, query, scope, roots } = one;
  const { database, config } = world.service;
  const tokens = pageTokens(database, config.pageTokenTtl);
  const parsed = parseOrder(order, SORTABLE) ?? { field: "uid", descending: false };
  const overHttp = (more: Record<string, string>) =>
    world.get(reader, `/iam/v2/identities?${new URLSearchParams({ ...query, order_by: order, ...more })}`);
  const bare = (page_token?: string) =>
    listPage(database, identitiesTable, tokens, {
      list: "identities.list",
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
  // What is compared runs in turn, so that other work on the machine meets all of it alike; the first round warms up.
  for (let round = 0; round <= repeats; round++) {
    const into = round === 0 ? { http: none(), bare: none() } : times;
    for (const place of POSITIONS) {
      const token = at[place];
      const page = { page_size: "50", ...(token !== "" && { page_token: token }) };
      await timed(into.http[place], () => overHttp(page));
      await timed(into.bare[place], () => bare(token === "" ? undefined : token));
    }
  }
  return { database: database.kind, scope, roots, order, total, promised: roots <= 10, ...times };
}

/** Pages of the list of identities: by scope, order, place and number of visible groups. */
export async function measurePages(
  world: World,
  size: ScaleSize,
  visible: readonly number[],
  repeats: number,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of await casesOf(world, size, visible))
    for (const order of ORDERS) {
      results.push(await measure(world, one, order, repeats));
      process.stderr.write(".");
    }
  process.stderr.write("\n");
  return results;
}
