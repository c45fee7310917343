import type { RELATIONSHIP_TYPES } from "~/contract/iam/identities";
import { readDrawer, readListSearch, readTexts, type Address, type ListSearch } from "~/resource/list-search";

const PAGE_DRAWERS = ["edit", "delete"] as const;
const LIST_DRAWERS = ["create", ...PAGE_DRAWERS] as const;
export type IdentityDrawer = (typeof LIST_DRAWERS)[number];

/** The list's filter by kind: how it stands in the address, in the API, and on screen. */
export const KIND_FILTERS = [
  { value: "claims", type: "RELATIONSHIP_TYPE_CLAIM_MATCH", label: "OIDC claims" },
  { value: "keys", type: "RELATIONSHIP_TYPE_STATIC", label: "Static keys" },
  { value: "aws", type: "RELATIONSHIP_TYPE_AWS_IDENTITY", label: "AWS" },
  { value: "service", type: "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL", label: "Platform service" },
] as const satisfies readonly { value: string; type: (typeof RELATIONSHIP_TYPES)[number]; label: string }[];
export type KindFilter = (typeof KIND_FILTERS)[number]["value"];

/** The list's filter by last use, which the API lacks: never, or not for so many days. */
export const SEEN_FILTERS = [
  { value: "never", label: "never" },
  { value: "30", label: "not for 30 days" },
  { value: "90", label: "not for 90 days" },
] as const;
export type SeenFilter = (typeof SEEN_FILTERS)[number]["value"];

/** The view of the list as it stands in the address; scope is the shell's. */
export interface IdentityListSearch extends ListSearch<IdentityDrawer> {
  /** Absent: machines. */
  tab?: "people" | undefined;
  /** Exact name. */
  name?: string | undefined;
  kind?: KindFilter | undefined;
  /** A part of the name, or of what else `containsLabel` says. */
  contains?: string | undefined;
  seen?: SeenFilter | undefined;
}

/** Of one identity: what is done with it. */
export interface IdentityDetailSearch {
  drawer?: (typeof PAGE_DRAWERS)[number] | undefined;
}

const SORTABLE = ["name", "created_at", "last_seen_time"];
export const DEFAULT_ORDER = "name";

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export function readIdentityListSearch(address: Address): IdentityListSearch {
  const people = address["tab"] === "people";
  // People have but one kind.
  const kind = people ? undefined : KIND_FILTERS.find(({ value }) => value === address["kind"])?.value;
  const seen = SEEN_FILTERS.find(({ value }) => value === address["seen"])?.value;
  return {
    ...(people && { tab: "people" }),
    ...readListSearch(address, SORTABLE, LIST_DRAWERS),
    ...readTexts(address, ["name", "contains"]),
    ...(kind && { kind }),
    ...(seen && { seen }),
  };
}

export const readIdentityDetailSearch = (address: Address): IdentityDetailSearch =>
  readDrawer(address, PAGE_DRAWERS);

/** Whether the view has a filter that the API lacks, so that the whole list has to be read for it. */
export const isScanned = ({ contains, seen }: IdentityListSearch): boolean =>
  contains !== undefined || seen !== undefined;

/** No filter at all, for what clears them. */
export const NO_FILTERS = {
  name: undefined,
  kind: undefined,
  contains: undefined,
  seen: undefined,
} satisfies IdentityListSearch;

/** People are known by their email, machines have a description. */
export const containsLabel = ({ tab }: IdentityListSearch): string =>
  tab === "people" ? "Name or email contains" : "Name or description contains";

/** The filters in force, in words. */
export function filterWords(search: IdentityListSearch): string[] {
  const { name, kind, contains, seen } = search;
  const label = KIND_FILTERS.find(({ value }) => value === kind)?.label;
  const when = SEEN_FILTERS.find(({ value }) => value === seen)?.label;
  return [
    ...(name === undefined ? [] : [`name is exactly "${name}"`]),
    ...(contains === undefined ? [] : [`${containsLabel(search).toLowerCase()} "${contains}"`]),
    ...(label === undefined ? [] : [`kind is ${label}`]),
    ...(when === undefined ? [] : [`last seen ${when}`]),
  ];
}
