import type { QueryClient } from "@tanstack/react-query";

import { anchorOf } from "~/api/queries/lists";
import { infinite, one, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { identities } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { levelQuery } from "~/features/group-tree/levels";
import { TOP } from "~/features/group-tree/rows";
import { preloadScan } from "~/resource/preload-client-filter";
import { readScopeSearch, scopeOf, scopeQuery, type Scope } from "~/features/scope/scope";

import {
  DEFAULT_ORDER,
  isScanned,
  KIND_FILTERS,
  readIdentityListSearch,
  type IdentityListSearch,
} from "./search";

/** The identities of a view. People lie at the root level, whatever the scope. */
export function identityListQuery(
  scope: Scope,
  { tab, order = DEFAULT_ORDER, name, kind, at }: IdentityListSearch,
  pageSize?: number,
) {
  const relationshipType = KIND_FILTERS.find(({ value }) => value === kind)?.type;
  return infinite(
    identities.list,
    {
      ...(tab === "people" ? { "uidp.in_root": true } : scopeQuery(scope)),
      ...(name !== undefined && { name }),
      ...(relationshipType && { relationshipType }),
      ...(pageSize !== undefined && { page_size: pageSize }),
      order_by: order,
    },
    { skip: anchorOf(Number(at ?? 0)) },
  );
}

/** The same for a scan, which filters what the API cannot. */
export const identityScanQuery = (scope: Scope, search: IdentityListSearch) =>
  identityListQuery(scope, search, PAGE_SIZE_MAX);

export const identityQuery = (uid: string) => one(identities.get, { uid });

/** The role bindings of one identity, newest first. */
export const bindingsQuery = (identity: string) =>
  infinite(roleBindings.list, { identity, order_by: "created_at desc" });

/** Asks for the list of an address while the screen's code is still loading. */
export async function startList(
  client: QueryClient,
  address: Readonly<Record<string, unknown>>,
): Promise<void> {
  const search = readIdentityListSearch(address);
  // A scan begins by itself as soon as its code is there.
  if (isScanned(search)) return preloadScan();
  let scope = scopeOf(readScopeSearch(address));
  if (scope.group === undefined && search.tab !== "people") {
    // Without a scope the list is that of the only organization, which the shell asks for anyway.
    const top = rowsOf(await client.ensureInfiniteQueryData(levelQuery(TOP)));
    if (top.rows.length === 1) scope = { ...scope, group: top.rows[0]?.uid };
  }
  await client.prefetchInfiniteQuery(identityListQuery(scope, search));
}
