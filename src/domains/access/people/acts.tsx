import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { leaverOf } from "~/domains/access/grants/leaver";
import { RemoveAccess } from "~/domains/access/grants/remove-access";
import { ActButton } from "~/frame/bulk-delete/act-button";
import type { ActsProps } from "~/frame/bulk-delete/use-selectable";
import { formatQuantity } from "~/ui/display/numbers";

/** As many lists of role bindings are read at once; more people leave in several steps. */
const MAX_SELECTED = 50;

interface PeopleActsProps extends ActsProps<Identity> {
  /** Why the user cannot remove access; undefined if nothing known prevents it. */
  readonly of: string | undefined;
}

/** What can be done with selected people. */
export function PeopleActs({ of: refusal, ...selected }: PeopleActsProps): ReactNode {
  const { records } = selected;
  const leavers = records.map(leaverOf);
  return (
    <ActButton
      {...selected}
      danger
      reason={
        refusal ??
        (records.length > MAX_SELECTED ? `Select at most ${MAX_SELECTED} people at once` : undefined)
      }
      dialog={(ends) => <RemoveAccess leavers={leavers} {...ends} />}
    >
      Remove access of {formatQuantity(records.length, "person", "people")}
    </ActButton>
  );
}
