import type { ReactNode } from "react";

import { isWithin } from "platform-contract/aip";
import type { Group } from "platform-contract/iam/groups";
import { ActButton } from "~/frame/bulk-delete/act-button";
import type { ActsProps } from "~/frame/bulk-delete/use-selectable";

import { TeardownPlan } from "./teardown/teardown";

/** Every list of each is read for the plan; more groups are deleted in several steps. */
const MAX_SELECTED = 20;

/** Deletes the selected groups with all that is in them, by one plan. */
export function GroupActs({ records, onStarted }: ActsProps<Group> & { readonly of: undefined }): ReactNode {
  // The plan of a group has all that is within it.
  const outermost = records.filter(
    ({ uid }) => !records.some((other) => other.uid !== uid && isWithin(uid, other.uid)),
  );
  return (
    <ActButton
      records={outermost}
      onStarted={onStarted}
      danger
      reason={outermost.length > MAX_SELECTED ? `Select at most ${MAX_SELECTED} folders at once` : undefined}
      dialog={(ends) => <TeardownPlan records={outermost} {...ends} />}
    >
      Delete with contents…
    </ActButton>
  );
}
