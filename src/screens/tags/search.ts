import {
  isUidParam,
  readDrawer,
  readListSearch,
  readTexts,
  type Address,
  type ListSearch,
} from "~/resource/list-search";

const DRAWERS = ["create", "delete", "pull"] as const;
/** Over the tags of one repo its own are opened as well: without a tag that they would be about. */
const LIST_DRAWERS = [...DRAWERS, "edit"] as const;
export type TagDrawer = (typeof LIST_DRAWERS)[number];

/** Kinds of names that the service leaves out unless it is asked for them (contract 1.11). */
export const KINDS = ["dates", "epochs", "referrers"] as const;
export type Kind = (typeof KINDS)[number];

/** The view of the list as it stands in the address; scope is the shell's. */
export interface TagListSearch extends ListSearch<TagDrawer>, Partial<Record<Kind, "yes" | undefined>> {
  /** The repo whose tags they are, `_` for `/`; absent: all in the scope. */
  repo?: string | undefined;
  /** Exact name and exact digest. */
  name?: string | undefined;
  digest?: string | undefined;
  contains?: string | undefined;
  deprecated?: "yes" | "no" | undefined;
  /** A day, 2026-08-11. */
  since?: string | undefined;
  by?: "digest" | undefined;
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
} satisfies TagListSearch;

/** By `version` the console orders itself. */
const SORTABLE = ["name", "updated_at", "version"];
export const DEFAULT_ORDER = "updated_at desc";

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: unknown): text is string =>
  typeof text === "string" && DAY.test(text) && !Number.isNaN(Date.parse(text));

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export function readTagListSearch(address: Address): TagListSearch {
  const { repo, deprecated, since, by } = address;
  // Of the repo alone: a tag has nothing to edit.
  const { drawer, item, ...list } = readListSearch(address, SORTABLE, LIST_DRAWERS);
  const opened = drawer !== "edit" || (isUidParam(repo) && item === undefined);
  return {
    ...(isUidParam(repo) && { repo }),
    ...list,
    ...(opened && drawer && { drawer }),
    ...(opened && item && { item }),
    ...readTexts(address, ["name", "digest", "contains"]),
    ...((deprecated === "yes" || deprecated === "no") && { deprecated }),
    ...(isDay(since) && { since }),
    ...(by === "digest" && { by }),
    ...Object.fromEntries(KINDS.flatMap((kind) => (address[kind] === "yes" ? [[kind, "yes"]] : []))),
  };
}

export const readTagDetailSearch = (address: Address): TagDetailSearch => readDrawer(address, DRAWERS);

export function readCompareSearch({ a, b }: Address): CompareSearch {
  return { ...(isUidParam(a) && { a }), ...(isUidParam(b) && { b }) };
}

/** Whether the open drawer is about the repo itself. */
export const isOfRepo = ({ repo, drawer, item }: TagListSearch): boolean =>
  repo !== undefined && item === undefined && (drawer === "edit" || drawer === "delete");

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
