import type { QueryClient } from "@tanstack/react-query";

import { anchorOf } from "~/api/lists";
import { infinite, one } from "~/api/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { getReadme, repos, updateReadme } from "~/contract/registry/repos";
import { preloadScan } from "~/parts/preload-scan";
import { readScopeSearch, scopeOf, scopeQuery, type Scope } from "~/parts/scope";

import { DEFAULT_ORDER, isScanned, readRepoListSearch, type RepoListSearch } from "./-repo-search";

/** The repos of a view. */
export const repoListQuery = (
  scope: Scope,
  { order = DEFAULT_ORDER, name, at }: RepoListSearch,
  pageSize?: number,
) =>
  infinite(
    repos.list,
    {
      ...scopeQuery(scope),
      ...(name !== undefined && { name }),
      ...(pageSize !== undefined && { page_size: pageSize }),
      order_by: order,
    },
    { skip: anchorOf(Number(at ?? 0)) },
  );

/** The same for a scan, which filters what the API cannot. */
export const repoScanQuery = (scope: Scope, search: RepoListSearch) =>
  repoListQuery(scope, search, PAGE_SIZE_MAX);

export const repoQuery = (uid: string) => one(repos.get, { uid });

/** Key of what rows say of the tags of their repos: kept with the tags, so that writing those refreshes it. */
export const TAGS_OF_ROWS = ["tags", "of rows"] as const;

/** Readmes are kept apart from the repos whose uids they have. */
export const readmes = {
  collection: "readmes",
  affects: [],
  get: { ...getReadme, collection: "readmes" },
  update: updateReadme,
};

export const readmeQuery = (uid: string) => one(readmes.get, { uid });

/** Asks for the list of an address while the screen's code is still loading. */
export function startList(client: QueryClient, address: Readonly<Record<string, unknown>>): void {
  const search = readRepoListSearch(address);
  // A scan begins by itself as soon as its code is there.
  if (isScanned(search)) preloadScan();
  else void client.prefetchInfiniteQuery(repoListQuery(scopeOf(readScopeSearch(address)), search));
}

/** The same for the page of one repo. */
export function startDetail(client: QueryClient, uid: string): void {
  void client.prefetchQuery(repoQuery(uid));
  void client.prefetchQuery(readmeQuery(uid));
}
