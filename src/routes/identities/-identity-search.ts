import { formatOrder, isUid, parseOrder } from "~/contract/aip";
import type { RELATIONSHIP_TYPES } from "~/contract/iam/identities";
import { paramToUid } from "~/parts/uid-param";

const DRAWERS = ["create", "edit", "delete"] as const;
export type IdentityDrawer = (typeof DRAWERS)[number];

/** The list's filter by kind: how it stands in the address, in the API, and on screen. */
export const KIND_FILTERS = [
  { value: "claims", type: "RELATIONSHIP_TYPE_CLAIM_MATCH", label: "OIDC claims" },
  { value: "keys", type: "RELATIONSHIP_TYPE_STATIC", label: "Static keys" },
  { value: "aws", type: "RELATIONSHIP_TYPE_AWS_IDENTITY", label: "AWS" },
  { value: "service", type: "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL", label: "Platform service" },
] as const satisfies readonly { value: string; type: (typeof RELATIONSHIP_TYPES)[number]; label: string }[];
export type KindFilter = (typeof KIND_FILTERS)[number]["value"];

/** The view of the list as it stands in the address; scope is the shell's. */
export interface IdentityListSearch {
  /** Absent: machines. */
  tab?: "people" | undefined;
  order?: string | undefined;
  /** Exact name. */
  name?: string | undefined;
  kind?: KindFilter | undefined;
  /** Number of the first row in view, from 0. */
  at?: string | undefined;
  drawer?: IdentityDrawer | undefined;
  /** The identity that the drawer is about, `_` for `/`. */
  item?: string | undefined;
}

/** Of one identity: what is done with it. */
export interface IdentityDetailSearch {
  drawer?: Exclude<IdentityDrawer, "create"> | undefined;
}

const SORTABLE = ["name", "created_at", "last_seen_time"];
export const DEFAULT_ORDER = "name";

/** Reads the search parameters; what cannot be meant is left out, so that an old link still opens the list. */
export function readIdentityListSearch(search: Readonly<Record<string, unknown>>): IdentityListSearch {
  const { tab, order, name, kind, at, drawer, item } = search as Readonly<
    Record<keyof IdentityListSearch, unknown>
  >;
  const people = tab === "people";
  const parsed = typeof order === "string" ? parseOrder(order, SORTABLE) : undefined;
  const knownKind = people ? undefined : KIND_FILTERS.find(({ value }) => value === kind);
  const knownDrawer = DRAWERS.find((candidate) => candidate === drawer);
  return {
    ...(people && { tab }),
    ...(parsed && { order: formatOrder(parsed) }),
    ...(typeof name === "string" && name !== "" && { name }),
    ...(knownKind && { kind: knownKind.value }),
    ...(typeof at === "string" && /^[1-9]\d{0,8}$/.test(at) && { at }),
    ...(knownDrawer && { drawer: knownDrawer }),
    ...(knownDrawer && typeof item === "string" && isUid(paramToUid(item)) && { item }),
  };
}

export function readIdentityDetailSearch(search: Readonly<Record<string, unknown>>): IdentityDetailSearch {
  const { drawer } = readIdentityListSearch(search);
  return drawer && drawer !== "create" ? { drawer } : {};
}

/** The filters in force, in words. */
export function filterWords({ name, kind }: IdentityListSearch): string[] {
  const label = KIND_FILTERS.find(({ value }) => value === kind)?.label;
  return [
    ...(name === undefined ? [] : [`name is exactly "${name}"`]),
    ...(label === undefined ? [] : [`kind is ${label}`]),
  ];
}
