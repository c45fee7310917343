import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { isSeenBelow } from "~/frame/permissions/rules";
import { ApiError } from "platform-client/errors";
import type { Endpoint } from "platform-contract/endpoint";
import { NoAccessYet } from "./no-access-yet";
import { EmptyPartContext, NotFound, NothingMatches, NothingVisible } from "~/ui/feedback/empty";

import { useGroup } from "~/frame/scope/group-ancestry";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useSight, useUnseen } from "~/frame/scope/use-sight";

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
  /** Why the list takes the permission that it takes, as the beginning of a sentence. */
  readonly because?: string | undefined;
  /** Where else to look for what the filters say. */
  readonly elsewhere?: ReactNode;
  /** Shown if there are no records at all: what they are for, and how to create one (`NothingYet`). */
  readonly children: ReactNode;
}

/** Says why there are no rows, and what to do about it. */
export function NoRows(props: NoRowsProps): ReactNode {
  const {
    list,
    what,
    group,
    within = group,
    missing,
    filters,
    onClear,
    because,
    elsewhere,
    children,
  } = props;
  const who = useCurrentUser();
  const sight = useSight(list, within, true);
  // A list is also empty if the user lacks permission; a request for the group itself fails.
  const { error } = useGroup(group);
  const unseen = useUnseen(list, what, group, within);
  const refused = error instanceof ApiError ? error : undefined;
  if (who.state === "nobody") return <NoAccessYet group={group} />;
  if (refused?.code === "NOT_FOUND") return <NotFound kind="group" sought={group} />;
  if (sight.state === "hidden")
    return <HiddenByRole capability={sight.capability} because={because} group={within} place={group} />;
  if (sight.state === "asking") return null;
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
      >
        {unseen === undefined ? null : <p>{unseen}</p>}
        {elsewhere}
      </NothingMatches>
    );
  if (sight.state === "unsure") return <NothingVisible what={what} />;
  if (within && who.state === "known" && isSeenBelow(who, list, within))
    return <NothingVisible what={what} below />;
  const place = group === undefined ? "in the folders that you can see" : "in this folder or below";
  const part = unseen === undefined ? undefined : { title: `No ${what} ${place}`, why: unseen };
  return <EmptyPartContext value={part}>{children}</EmptyPartContext>;
}
