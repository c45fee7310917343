import type { ReactNode } from "react";

import { identities } from "~/contract/iam/identities";
import { NothingYet } from "~/ui/feedback/empty";
import { NoRows } from "~/resource/no-rows";

interface NoIdentitiesProps {
  /** Whether the list is that of people, who lie in no group. */
  readonly people: boolean;
  /** uid of the group that a list of machines is limited to. */
  readonly group: string | undefined;
  /** The filters in force, in words. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
  /** The page's primary action. */
  readonly action: ReactNode;
}

/** Why there are no rows, and what to do about it. */
export function NoIdentities({ people, group, filters, onClear, action }: NoIdentitiesProps): ReactNode {
  return (
    <NoRows
      list={identities.list}
      what="identities"
      group={people ? undefined : group}
      filters={filters}
      onClear={onClear}
    >
      {people ? (
        <NothingYet title="No people yet">
          People appear here once they have a role in a group where you may list identities.
        </NothingYet>
      ) : (
        <NothingYet title="No machines here yet" action={action}>
          An identity lets a machine act here: a build, a cluster, a cloud role. It is recognised by its
          tokens, so that no secret has to be kept.
        </NothingYet>
      )}
    </NoRows>
  );
}
