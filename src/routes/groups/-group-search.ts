import { readDrawer, readListSearch, readTexts, type Address, type ListSearch } from "~/parts/list-search";

/** What the drawer does; `create` makes a folder in `item`, or in the scope. */
const PAGE_DRAWERS = ["create", "edit", "delete"] as const;
const LIST_DRAWERS = [...PAGE_DRAWERS, "create-organization"] as const;
export type GroupDrawer = (typeof LIST_DRAWERS)[number];

/** The view of the list as it stands in the address; scope is the shell's. */
export interface GroupListSearch extends ListSearch<GroupDrawer> {
  /** Exact name. */
  name?: string | undefined;
  /** A part of the name or of the description, which the API cannot look for. */
  contains?: string | undefined;
}

/** Of one group: what is done with it. */
export interface GroupDetailSearch {
  drawer?: (typeof PAGE_DRAWERS)[number] | undefined;
}

const SORTABLE = ["name", "created_at", "updated_at"];

/** By name, as in the tree. */
export const DEFAULT_ORDER = "name";

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export const readGroupListSearch = (address: Address): GroupListSearch => ({
  ...readListSearch(address, SORTABLE, LIST_DRAWERS),
  ...readTexts(address, ["name", "contains"]),
});

export const readGroupDetailSearch = (address: Address): GroupDetailSearch =>
  readDrawer(address, PAGE_DRAWERS);

/** No filter at all, for what clears them. */
export const NO_FILTERS = { name: undefined, contains: undefined } satisfies GroupListSearch;

/** The filters in force, in words. */
export const filterWords = ({ name, contains }: GroupListSearch): string[] => [
  ...(name === undefined ? [] : [`name is exactly "${name}"`]),
  ...(contains === undefined ? [] : [`name or description contains "${contains}"`]),
];
