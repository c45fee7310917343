import { formatOrder, isUid, parseOrder } from "~/contract/aip";
import { paramToUid } from "~/parts/uid-param";

/** What the drawer does; `create` makes a folder in `item`, or in the scope, or else an organization. */
const DRAWERS = ["create", "create-organization", "edit", "delete"] as const;
export type GroupDrawer = (typeof DRAWERS)[number];

/** The view of the list as it stands in the address; scope is the shell's. */
export interface GroupListSearch {
  order?: string | undefined;
  /** Exact name. */
  name?: string | undefined;
  /** A part of the name or of the description, which the API cannot look for. */
  contains?: string | undefined;
  /** Number of the first row in view, from 0. */
  at?: string | undefined;
  drawer?: GroupDrawer | undefined;
  /** The group that the drawer is about, `_` for `/`. */
  item?: string | undefined;
}

/** Of one group: what is done with it. */
export interface GroupDetailSearch {
  drawer?: Exclude<GroupDrawer, "create-organization"> | undefined;
}

const SORTABLE = ["name", "created_at", "updated_at"];

/** By name, as in the tree. */
export const DEFAULT_ORDER = "name";

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export function readGroupListSearch(search: Readonly<Record<string, unknown>>): GroupListSearch {
  const { order, name, contains, at, drawer, item } = search as Readonly<
    Record<keyof GroupListSearch, unknown>
  >;
  const parsed = typeof order === "string" ? parseOrder(order, SORTABLE) : undefined;
  const known = DRAWERS.find((candidate) => candidate === drawer);
  return {
    ...(parsed && { order: formatOrder(parsed) }),
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof contains === "string" && contains.trim() !== "" && { contains }),
    ...(typeof at === "string" && /^[1-9]\d{0,8}$/.test(at) && { at }),
    ...(known && { drawer: known }),
    ...(known && typeof item === "string" && isUid(paramToUid(item)) && { item }),
  };
}

export function readGroupDetailSearch(search: Readonly<Record<string, unknown>>): GroupDetailSearch {
  const { drawer } = readGroupListSearch(search);
  return drawer && drawer !== "create-organization" ? { drawer } : {};
}

/** The filters in force, in words. */
export const filterWords = ({ name, contains }: GroupListSearch): string[] => [
  ...(name === undefined ? [] : [`name is exactly "${name}"`]),
  ...(contains === undefined ? [] : [`name or description contains "${contains}"`]),
];
