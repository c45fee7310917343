import { formatOrder, isUid, parseOrder } from "~/contract/aip";
import { paramToUid } from "~/parts/uid-param";

const DRAWERS = ["create", "delete", "pull"] as const;
export type TagDrawer = (typeof DRAWERS)[number];

/** Kinds of names that the service leaves out unless it is asked for them (contract 1.11). */
export const KINDS = ["dates", "epochs", "referrers"] as const;
export type Kind = (typeof KINDS)[number];

/** The view of the list as it stands in the address; scope is the shell's. */
export interface TagListSearch extends Partial<Record<Kind, "yes" | undefined>> {
  /** The repo whose tags they are, `_` for `/`; absent: all in the scope. */
  repo?: string | undefined;
  /** As in order_by, or `version`, which the console orders itself. */
  order?: string | undefined;
  /** Exact name and exact digest. */
  name?: string | undefined;
  digest?: string | undefined;
  contains?: string | undefined;
  deprecated?: "yes" | "no" | undefined;
  /** A day, 2026-08-11. */
  since?: string | undefined;
  by?: "digest" | undefined;
  /** Number of the first row in view, from 0. */
  at?: string | undefined;
  drawer?: TagDrawer | undefined;
  /** The tag that the drawer is about, `_` for `/`. */
  item?: string | undefined;
}

/** Of one tag: what is done with it. */
export interface TagDetailSearch {
  drawer?: TagDrawer | undefined;
}

/** Two tags side by side, `_` for `/`. */
export interface CompareSearch {
  a?: string | undefined;
  b?: string | undefined;
}

/** No filter at all, for what clears them. */
export const NO_FILTERS = {
  name: undefined,
  digest: undefined,
  contains: undefined,
  deprecated: undefined,
  since: undefined,
  at: undefined,
} satisfies TagListSearch;

export const DEFAULT_ORDER = "updated_at desc";

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: unknown): text is string =>
  typeof text === "string" && DAY.test(text) && !Number.isNaN(Date.parse(text));
const isText = (text: unknown): text is string => typeof text === "string" && text.trim() !== "";
const isParam = (text: unknown): text is string => typeof text === "string" && isUid(paramToUid(text));

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export function readTagListSearch(search: Readonly<Record<string, unknown>>): TagListSearch {
  const { repo, order, name, digest, contains, deprecated, since, by, at, drawer, item } = search as Readonly<
    Record<keyof TagListSearch, unknown>
  >;
  const parsed = typeof order === "string" ? parseOrder(order, ["name", "updated_at", "version"]) : undefined;
  const knownDrawer = DRAWERS.find((candidate) => candidate === drawer);
  return {
    ...(isParam(repo) && { repo }),
    ...(parsed && { order: formatOrder(parsed) }),
    ...(isText(name) && { name }),
    ...(isText(digest) && { digest }),
    ...(isText(contains) && { contains }),
    ...((deprecated === "yes" || deprecated === "no") && { deprecated }),
    ...(isDay(since) && { since }),
    ...(by === "digest" && { by }),
    ...Object.fromEntries(KINDS.flatMap((kind) => (search[kind] === "yes" ? [[kind, "yes"]] : []))),
    ...(typeof at === "string" && /^[1-9]\d{0,8}$/.test(at) && { at }),
    ...(knownDrawer && { drawer: knownDrawer }),
    ...(knownDrawer && isParam(item) && { item }),
  };
}

export function readTagDetailSearch(search: Readonly<Record<string, unknown>>): TagDetailSearch {
  const { drawer } = readTagListSearch(search);
  return drawer ? { drawer } : {};
}

export function readCompareSearch({ a, b }: Readonly<Record<string, unknown>>): CompareSearch {
  return { ...(isParam(a) && { a }), ...(isParam(b) && { b }) };
}

/** Whether the service cannot give the view as it is, so that the whole list is read for it. */
export const isScanned = ({ contains, deprecated, by, order = "" }: TagListSearch): boolean =>
  contains !== undefined || deprecated !== undefined || by !== undefined || order.startsWith("version");

/** Whether the view looks at every kind of names, shown or not: what is exact is found whatever it is called. */
export const isExact = ({ name, digest }: TagListSearch): boolean =>
  name !== undefined || digest !== undefined;

/** The kinds of names that a view asks for. Deprecated ones are counted over the whole repo, builds and days included. */
export const kindsOf = (search: TagListSearch): Kind[] =>
  KINDS.filter(
    (kind) =>
      search[kind] === "yes" || isExact(search) || (search.deprecated !== undefined && kind !== "referrers"),
  );
