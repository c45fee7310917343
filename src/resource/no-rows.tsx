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
  /** uid of the record that limits it instead. */
  readonly within?: string | undefined;
  /** Shown if that record or group is missing. */
  readonly missing?: ReactNode;
  /** The active filters, in words. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
  /** Shown if there are no records at all: what they are for, and how to create one (`NothingYet`). */
  readonly children: ReactNode;
}

/** Says why there are no rows, and what to do about it. */
export function NoRows(props: NoRowsProps): ReactNode {
  const { list, what, group, within = group, missing, filters, onClear, children } = props;
  const { state } = useCurrentUser();
  const { allowed, capability } = useCan(list, within);
  // A list is also empty if the user lacks permission (contract B7); a request for the group itself fails.
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
          // The button unmounts, after a scan with the whole table: the focus moves to the filters.
          document.querySelector<HTMLElement>("main [role=search]")?.focus();
          onClear();
        }}
      />
    );
  return state === "unknown" ? <NothingVisible /> : children;
}
