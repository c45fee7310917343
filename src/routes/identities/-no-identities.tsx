import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { identities } from "~/contract/iam/identities";
import { NothingMatches, NothingVisible, NothingYet, NotPermitted } from "~/kit/empty";

import { filterWords, type IdentityListSearch } from "./-identity-search";

interface NoIdentitiesProps {
  /** uid of the group that the list is limited to. */
  readonly group: string | undefined;
  readonly search: IdentityListSearch;
  readonly onClear: () => void;
  /** The page's primary action. */
  readonly action: ReactNode;
}

/** Why there are no rows, and what to do about it. */
export function NoIdentities({ group, search, onClear, action }: NoIdentitiesProps): ReactNode {
  const { state } = useWho();
  const list = useCan(identities.list, search.tab === "people" ? undefined : group);
  const filters = filterWords(search);
  if (!list.allowed && state !== "nobody")
    return <NotPermitted to="see identities here" capability={list.capability} />;
  if (filters.length > 0) return <NothingMatches what="identities" filters={filters} onClear={onClear} />;
  if (state === "unknown") return <NothingVisible />;
  if (search.tab === "people")
    return (
      <NothingYet title="No people yet">
        People appear here once they have a role in a group where you may list identities.
      </NothingYet>
    );
  return (
    <NothingYet title="No machines here yet" action={action}>
      An identity lets a machine act here: a build, a cluster, a cloud role. It is recognised by its tokens,
      so that no secret has to be kept.
    </NothingYet>
  );
}
