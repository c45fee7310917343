import type { ReactNode } from "react";

import { groups, type Group } from "platform-contract/iam/groups";
import { groupQuery } from "~/frame/scope/group-ancestry";
import type { DrawersProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";

import { TeardownPlan } from "./teardown";

/** The plan for the group in the address. Starting it navigates away from the group's page, which will soon be gone. */
export function TeardownDrawer({ item, known, onClose, onDeleted }: DrawersProps<Group>): ReactNode {
  return (
    <RecordLoader noun={groups.noun} uid={item} query={groupQuery} known={known} onClose={onClose}>
      {(record) => (
        <TeardownPlan records={[record]} onClose={onClose} onStarted={() => onDeleted(record.uid)} />
      )}
    </RecordLoader>
  );
}
