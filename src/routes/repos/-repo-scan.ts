import type { Repo } from "~/contract/registry/repos";
import { contains } from "~/parts/contains";

import type { RepoListSearch } from "./-repo-search";
import { NO_TIER, TIERS } from "./-repo-words";

/** The filters of a view that the API lacks, for a scan. */
export function matcherOf({ contains: typed, tier }: RepoListSearch): (repo: Repo) => boolean {
  const wanted = TIERS.find(({ value }) => value === tier)?.tier;
  return ({ name, description, aliases, catalogTier }) => {
    const named = typed === undefined || contains(typed, [name, description, ...(aliases ?? [])]);
    return named && (wanted === undefined || (catalogTier || NO_TIER) === wanted);
  };
}
