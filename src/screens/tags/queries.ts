import type { QueryClient } from "@tanstack/react-query";

import { anchorOf } from "~/api/queries/lists";
import { infinite, one } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { repos } from "~/contract/registry/repos";
import { tags } from "~/contract/registry/tags";
import { preloadScan } from "~/resource/preload-client-filter";
import { readScopeSearch, scopeOf, scopeQuery, type Scope } from "~/features/scope/scope";
import { paramToUid } from "~/features/scope/uid-param";

import { DEFAULT_ORDER, isScanned, kindsOf, readTagListSearch, type TagListSearch } from "./search";

const INCLUDE = { dates: "includeDates", epochs: "includeEpochs", referrers: "includeReferrers" } as const;
export const ALL_KINDS = { includeDates: true, includeEpochs: true, includeReferrers: true };

function listQuery(scope: Scope, search: TagListSearch, order: string, pageSize?: number) {
  const { repo, name, digest, since, at } = search;
  return infinite(
    tags.list,
    {
      ...(repo === undefined ? scopeQuery(scope) : { "uidp.children_of": paramToUid(repo) }),
      ...(name !== undefined && { name }),
      ...(digest !== undefined && { digest }),
      ...(since !== undefined && { updatedSince: `${since}T00:00:00Z` }),
      ...Object.fromEntries(kindsOf(search).map((kind) => [INCLUDE[kind], true])),
      ...(pageSize !== undefined && { page_size: pageSize }),
      order_by: order,
    },
    { skip: anchorOf(Number(at ?? 0)) },
  );
}

/** The tags of a view, as far as the service can give it. */
export const tagListQuery = (scope: Scope, search: TagListSearch) =>
  listQuery(scope, search, search.order ?? DEFAULT_ORDER);

/**
 * The same for a scan, by name whatever the order: in the order of their updates, tags that move while it reads would
 * pass it by.
 */
export const tagScanQuery = (scope: Scope, search: TagListSearch) =>
  listQuery(scope, search, "name", PAGE_SIZE_MAX);

/**
 * The same for a file, where the service can give the view: what was updated last comes first on screen and last here, so
 * that no tag that moves while it is read passes it by (`inListOrder` turns it round).
 */
export const tagFileQuery = (scope: Scope, search: TagListSearch) => {
  const { order = DEFAULT_ORDER } = search;
  return listQuery(scope, search, order === "updated_at desc" ? "updated_at" : order, PAGE_SIZE_MAX);
};

export const tagQuery = (uid: string) => one(tags.get, { uid });

/** The tag of one name in a repo, in a list of at most one row. */
export const namedQuery = (repo: string, name: string) =>
  infinite(tags.list, { "uidp.children_of": repo, name, ...ALL_KINDS, page_size: 1, order_by: "uid" });

/** Every tag of one image in a repo; as many as one page holds. */
export const sameImageQuery = (repo: string, digest: string) =>
  infinite(tags.list, {
    "uidp.children_of": repo,
    digest,
    ...ALL_KINDS,
    page_size: PAGE_SIZE_MAX,
    order_by: "name",
  });

/** Asks for the list of an address while the screen's code is still loading. */
export function startList(client: QueryClient, address: Readonly<Record<string, unknown>>): void {
  const search = readTagListSearch(address);
  if (search.repo !== undefined) void client.prefetchQuery(one(repos.get, { uid: paramToUid(search.repo) }));
  // A scan begins by itself as soon as its code is there.
  if (isScanned(search)) preloadScan();
  else void client.prefetchInfiniteQuery(tagListQuery(scopeOf(readScopeSearch(address)), search));
}
