import { formatOrder, isUid, parseOrder } from "~/contract/aip";
import { paramToUid } from "~/parts/uid-param";

import { TIERS, type TierFilter } from "./-repo-words";

const DRAWERS = ["create", "edit", "delete", "readme"] as const;
export type RepoDrawer = (typeof DRAWERS)[number];

/** The view of the list as it stands in the address; scope is the shell's. */
export interface RepoListSearch {
  order?: string | undefined;
  /** Exact name. */
  name?: string | undefined;
  /** A part of the name, of the description or of an alias. */
  contains?: string | undefined;
  tier?: TierFilter | undefined;
  /** Number of the first row in view, from 0. */
  at?: string | undefined;
  drawer?: Exclude<RepoDrawer, "readme"> | undefined;
  /** The repo that the drawer is about, `_` for `/`. */
  item?: string | undefined;
}

/** Of one repo: what is done with it. */
export interface RepoDetailSearch {
  drawer?: Exclude<RepoDrawer, "create"> | undefined;
}

const SORTABLE = ["name", "created_at", "updated_at"];
export const DEFAULT_ORDER = "name";

const readDrawer = (drawer: unknown): RepoDrawer | undefined =>
  DRAWERS.find((candidate) => candidate === drawer);

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export function readRepoListSearch(search: Readonly<Record<string, unknown>>): RepoListSearch {
  const { order, name, contains, tier, at, item, ...rest } = search as Readonly<
    Record<keyof RepoListSearch, unknown>
  >;
  const parsed = typeof order === "string" ? parseOrder(order, SORTABLE) : undefined;
  const known = TIERS.find(({ value }) => value === tier);
  const drawer = readDrawer(rest.drawer);
  return {
    ...(parsed && { order: formatOrder(parsed) }),
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof contains === "string" && contains.trim() !== "" && { contains }),
    ...(known && { tier: known.value }),
    ...(typeof at === "string" && /^[1-9]\d{0,8}$/.test(at) && { at }),
    ...(drawer && drawer !== "readme" && { drawer }),
    ...(drawer && typeof item === "string" && isUid(paramToUid(item)) && { item }),
  };
}

export function readRepoDetailSearch(search: Readonly<Record<string, unknown>>): RepoDetailSearch {
  const drawer = readDrawer(search["drawer"]);
  return drawer && drawer !== "create" ? { drawer } : {};
}

/** Whether the view has a filter that the API lacks, so that the whole list has to be read for it. */
export const isScanned = ({ contains, tier }: RepoListSearch): boolean =>
  contains !== undefined || tier !== undefined;

/** No filter at all, for what clears them. */
export const NO_FILTERS = {
  name: undefined,
  contains: undefined,
  tier: undefined,
  at: undefined,
} satisfies RepoListSearch;

export const CONTAINS_LABEL = "Name, description or alias contains";

/** The filters in force, in words. */
export function filterWords({ name, contains, tier }: RepoListSearch): string[] {
  const label = TIERS.find(({ value }) => value === tier)?.label;
  return [
    ...(name === undefined ? [] : [`name is exactly "${name}"`]),
    ...(contains === undefined ? [] : [`${CONTAINS_LABEL.toLowerCase()} "${contains}"`]),
    ...(label === undefined ? [] : [`tier is ${label}`]),
  ];
}
