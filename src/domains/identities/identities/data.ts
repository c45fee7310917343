import type { QueryClient } from "@tanstack/react-query";

import { infinite, rowsOf } from "~/api/queries/queries";
import { parentOf, rootOf } from "platform-contract/aip";
import type { Group } from "platform-contract/iam/groups";
import { identities, type Identity, type RELATIONSHIP_TYPES } from "platform-contract/iam/identities";
import { isClient, isPerson } from "~/frame/scope/people";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { readTime } from "~/ui/display/time-text";
import { levelQuery } from "~/frame/group-tree/levels";
import { TOP } from "~/frame/group-tree/rows";
import { ROOTS } from "~/frame/group-tree/use-roots";
import { readScopeSearch } from "~/frame/scope/scope";
import { uidToParam } from "~/frame/scope/uid-param";
import { defineScreens, type ListView, type PageView } from "~/frame/define";
import { choice, contains, exact, pinned, searched, type Filter, type SearchOf } from "~/frame/list/filters";
import { isUidParam, type Address } from "~/frame/scope/address";
import { readEffective, type EffectiveView } from "./effective-access/links";

import { PULL_TOKEN } from "~/domains/identities/pull-token/links";

import { lastSeen } from "./last-seen";

const TYPES = [
  { value: "claims", type: "RELATIONSHIP_TYPE_CLAIM_MATCH", label: "OIDC claims or GitHub Actions" },
  { value: "keys", type: "RELATIONSHIP_TYPE_STATIC", label: "Static keys" },
  { value: "aws", type: "RELATIONSHIP_TYPE_AWS_IDENTITY", label: "AWS" },
  { value: "service", type: "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL", label: "Platform service" },
] as const satisfies readonly { value: string; type: (typeof RELATIONSHIP_TYPES)[number]; label: string }[];

const SEEN = [
  { value: "never", label: "never" },
  { value: "30", label: "not in 30 days" },
  { value: "90", label: "not in 90 days" },
];
const DAY = 24 * 60 * 60 * 1000;

/** An identity never seen counts as unused since its creation: one from yesterday isn't unused for 30 days. */
function isUnused(identity: Identity, since: string, now: number): boolean {
  const used = lastSeen(identity);
  if (since === "never") return used === undefined;
  const time = readTime(used ?? identity.createTime);
  return time === undefined || now - time.getTime() >= Number(since) * DAY;
}

/** Keys count as expiring this many days before they expire. */
export const KEYS_EXPIRE = 30;

/** True if the keys of an identity have expired or will soon. */
function keysExpire({ staticKeys }: Identity, now: number): boolean {
  const end = readTime(staticKeys?.expirationTime);
  return end !== undefined && end.getTime() - now <= KEYS_EXPIRE * DAY;
}

/** Filters by last use, which the API cannot: never, or not for this many days. */
export const seenFilter: Filter<Identity> = choice<Identity>("Last seen", SEEN, {
  any: "any time",
  matches: (since) => {
    const now = Date.now();
    return (identity) => isUnused(identity, since, now);
  },
  describe: (since) => `last seen ${SEEN.find(({ value }) => value === since)?.label}`,
});

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(
    contains<Identity>("Name or description", ({ name, description }) => [name, description]),
  ),
  kind: pinned(
    choice<Identity>("Type", TYPES, {
      query: (value) => ({ relationshipType: TYPES.find((each) => each.value === value)?.type }),
    }),
  ),
  // Of the past nobody knows.
  ...(!/[?&]asOf=/.test(globalThis.location?.search) && { seen: pinned(seenFilter) }),
  keys: choice<Identity>(
    "Keys",
    [{ value: "expiring", label: `expired or expiring in ${KEYS_EXPIRE} days` }],
    {
      matches: () => {
        const now = Date.now();
        return (identity) => keysExpire(identity, now);
      },
    },
  ),
};
export type IdentitySearch = SearchOf<typeof filters>;

/** The role bindings of one identity, newest first. */
export const bindingsQuery = (identity: string) =>
  infinite(roleBindings.list, { identity, order_by: "created_at desc" });

export const loadDrawers = () => import("./drawers");

const screens = defineScreens(identities, {
  drawers: {
    load: async () => (await loadDrawers()).IdentityDrawers,
    list: ["test-token", PULL_TOKEN],
    page: ["owner"],
  },
  filters,
  // Only these have keys: the service leaves out the others before the console reads them.
  query: ({ keys, kind }) =>
    keys !== undefined && kind === undefined ? { relationshipType: "RELATIONSHIP_TYPE_STATIC" } : {},
  deletion: {
    dependents: (identity) => [{ list: roleBindings.list, query: { identity } }],
    consequence: "Workloads using this identity will lose access immediately. This can't be undone.",
    typeName: "unless empty",
    changesAccess: true,
    counts: {
      list: roleBindings.list,
      query: (identity) => ({ identity }),
      what: "role bindings",
      one: "role binding is removed too",
      many: "role bindings are removed too",
      none: "It has no roles.",
      // A person can have roles in several organizations.
      link: (uid) => ({
        to: "/role-bindings",
        search: {
          identity: uidToParam(uid),
          group: parentOf(uid) === "" ? undefined : uidToParam(rootOf(uid)),
        },
      }),
    },
  },
  locked: (identity: Identity) =>
    isPerson(identity.uid)
      ? "People are managed by your identity provider. Change their access through role bindings"
      : isClient(identity)
        ? "Clients of the service are managed by its operator"
        : undefined,
});

/**
 * Returns the only organization that the user can see, as written in addresses; undefined unless exactly one, or if the
 * user is already known to see folders outside of it (`useMachineScope`).
 */
async function soleOrganization(client: QueryClient): Promise<string | undefined> {
  const { rows } = rowsOf(await client.ensureInfiniteQueryData(levelQuery(TOP)));
  const folders = client.getQueriesData<readonly Group[]>({ queryKey: ROOTS });
  const [sole, second] = rows;
  const outside = folders.some(([, found]) => found?.some(({ uid }) => rootOf(uid) !== sole?.uid));
  return sole && !second && !outside ? uidToParam(sole.uid) : undefined;
}

export const identityScreens = {
  ...screens,
  readList: (address: Address): ListView & { readonly role?: string } => ({
    ...screens.readList(address),
    // Of the form for a new one.
    ...(address["drawer"] === "create" && isUidParam(address["role"]) && { role: address["role"] }),
  }),
  readPage: (address: Address): PageView & EffectiveView => ({
    ...screens.readPage(address),
    ...readEffective(address),
  }),
  async startList(client: QueryClient, address: Address): Promise<void> {
    const { group = await soleOrganization(client) } = readScopeSearch(address);
    screens.startList(client, { ...address, group });
  },
  startRecord(client: QueryClient, uid: string): void {
    screens.startRecord(client, uid);
    void client.prefetchInfiniteQuery(bindingsQuery(uid));
  },
};
