import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useCurrentUser } from "~/access/current-user";
import { ApiError } from "~/api/client/errors";
import type { Endpoint } from "~/contract/endpoint";
import { NoAccessYet } from "./no-access-yet";
import { NotFound, NothingMatches, NothingVisible, NotPermitted } from "~/ui/feedback/empty";

import { useGroup } from "~/features/scope/group-ancestry";

interface NoRowsProps {
  readonly list: Pick<Endpoint, "access">;
  /** Plural, in words: "identities". */
  readonly what: string;
  /** uid of the group that the list is limited to. */
  readonly group: string | undefined;
  /** uid of the record that it is limited to instead. */
  readonly within?: string | undefined;
  /** What to say when that is not there. */
  readonly missing?: ReactNode;
  /** The filters in force, in words. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
  /** What to say when there are none at all: what they are for, and how to make one (`NothingYet`). */
  readonly children: ReactNode;
}

/** Why there are no rows, and what to do about it. */
export function NoRows(props: NoRowsProps): ReactNode {
  const { list, what, group, within = group, missing, filters, onClear, children } = props;
  const { state } = useCurrentUser();
  const { allowed, capability } = useCan(list, within);
  // A list of what may not be seen is empty as well (contract B7); the group itself is refused.
  const { error } = useGroup(group);
  const refused = error instanceof ApiError ? error : undefined;
  if (state === "nobody") return <NoAccessYet />;
  if (refused?.code === "NOT_FOUND") return <NotFound kind="group" sought={group} />;
  if (!allowed) return <NotPermitted to={`see ${what} here`} capability={capability} />;
  if (missing !== undefined) return missing;
  if (filters.length > 0)
    return (
      <NothingMatches
        what={what}
        filters={filters}
        onClear={() => {
          // The button goes, and after a scan its whole table: the focus stays with the filters.
          document.querySelector<HTMLElement>("main [role=search]")?.focus();
          onClear();
        }}
      />
    );
  return state === "unknown" ? <NothingVisible /> : children;
}
