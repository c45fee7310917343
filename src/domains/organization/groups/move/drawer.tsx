import { useSyncExternalStore, type ReactNode } from "react";

import { currentJob, subscribeCurrentJob } from "~/api/bulk/current-job";
import { COPY, type CopyData } from "~/api/bulk/copy-plan";
import type { DrawersProps } from "~/frame/form/drawers";
import { RecordLoader, Unavailable } from "~/frame/form/record-loader";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";

import { Copying } from "./copying";
import { MoveFolder } from "./move";

/** The move of a folder: the choice and the plan, or the job that was started for it. */
export function MoveDrawer({ item, known, onClose }: DrawersProps<Group>): ReactNode {
  const current = useSyncExternalStore(subscribeCurrentJob, currentJob);
  if (item !== undefined && parentOf(item) === "")
    return (
      <Unavailable noun="move" onClose={onClose}>
        An organization has no place that it could leave.
      </Unavailable>
    );
  return (
    <RecordLoader noun={groups.noun} uid={item} query={groupQuery} known={known} onClose={onClose}>
      {(folder) => {
        const data = current?.plan.action === COPY ? (current.plan.data as CopyData) : undefined;
        return current?.job && data?.root === folder.uid ? (
          <Copying
            folder={folder}
            job={current.job}
            plan={current.plan}
            data={data}
            onEnd={current.close}
            onClose={onClose}
          />
        ) : (
          <MoveFolder folder={folder} onClose={onClose} />
        );
      }}
    </RecordLoader>
  );
}
