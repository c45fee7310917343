import { readDrawer, readListSearch, readTexts, type Address, type ListSearch } from "~/parts/list-search";

import { TIERS, type TierFilter } from "./-repo-words";

const LIST_DRAWERS = ["create", "edit", "delete"] as const;
const PAGE_DRAWERS = ["edit", "delete", "readme"] as const;
type ListDrawer = (typeof LIST_DRAWERS)[number];
type PageDrawer = (typeof PAGE_DRAWERS)[number];
export type RepoDrawer = ListDrawer | PageDrawer;

/** The view of the list as it stands in the address; scope is the shell's. */
export interface RepoListSearch extends ListSearch<ListDrawer> {
  /** Exact name. */
  name?: string | undefined;
  /** A part of the name, of the description or of an alias. */
  contains?: string | undefined;
  tier?: TierFilter | undefined;
}

/** Of one repo: what is done with it. */
export interface RepoDetailSearch {
  drawer?: PageDrawer | undefined;
}

const SORTABLE = ["name", "created_at", "updated_at"];
export const DEFAULT_ORDER = "name";

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export function readRepoListSearch(address: Address): RepoListSearch {
  const tier = TIERS.find(({ value }) => value === address["tier"])?.value;
  return {
    ...readListSearch(address, SORTABLE, LIST_DRAWERS),
    ...readTexts(address, ["name", "contains"]),
    ...(tier && { tier }),
  };
}

export const readRepoDetailSearch = (address: Address): RepoDetailSearch => readDrawer(address, PAGE_DRAWERS);

/** Whether the view has a filter that the API lacks, so that the whole list has to be read for it. */
export const isScanned = ({ contains, tier }: RepoListSearch): boolean =>
  contains !== undefined || tier !== undefined;

/** No filter at all, for what clears them. */
export const NO_FILTERS = {
  name: undefined,
  contains: undefined,
  tier: undefined,
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
