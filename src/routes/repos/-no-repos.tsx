import type { ReactNode } from "react";

import { repos } from "~/contract/registry/repos";
import { NothingYet } from "~/kit/empty";
import { NoRows } from "~/parts/no-rows";

interface NoReposProps {
  /** uid of the group that the list is limited to. */
  readonly group: string | undefined;
  /** The filters in force, in words. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
  /** The page's primary action. */
  readonly action: ReactNode;
}

/** Why there are no rows, and what to do about it. */
export function NoRepos({ group, filters, onClear, action }: NoReposProps): ReactNode {
  return (
    <NoRows list={repos.list} what="repos" group={group} filters={filters} onClear={onClear}>
      <NothingYet title="No repos here yet" action={action}>
        A repo holds the images of one name, each under its tags. It is filled by pushing to it, or by copying
        another repo.
      </NothingYet>
    </NoRows>
  );
}
