import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { repos } from "~/contract/registry/repos";
import { NothingMatches, NothingVisible, NothingYet, NotPermitted } from "~/kit/empty";

import { filterWords, type RepoListSearch } from "./-repo-search";

interface NoReposProps {
  /** uid of the group that the list is limited to. */
  readonly group: string | undefined;
  readonly search: RepoListSearch;
  readonly onClear: () => void;
  /** The page's primary action. */
  readonly action: ReactNode;
}

/** Why there are no rows, and what to do about it. */
export function NoRepos({ group, search, onClear, action }: NoReposProps): ReactNode {
  const { state } = useWho();
  const list = useCan(repos.list, group);
  const filters = filterWords(search);
  if (!list.allowed && state !== "nobody")
    return <NotPermitted to="see repos here" capability={list.capability} />;
  if (filters.length > 0) return <NothingMatches what="repos" filters={filters} onClear={onClear} />;
  if (state === "unknown") return <NothingVisible />;
  return (
    <NothingYet title="No repos here yet" action={action}>
      A repo holds the images of one name, each under its tags. It is filled by pushing to it, or by copying
      another repo.
    </NothingYet>
  );
}
