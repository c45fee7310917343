import type { ReactNode } from "react";

import type { Group } from "~/contract/iam/groups";
import { onDemand } from "~/kit/on-demand";
import { OpenedRecord, type DrawersProps } from "~/parts/opened-record";
import { groupQuery } from "~/parts/path";

import type { GroupDrawer } from "./-group-search";

// Nobody needs these before they are asked for.
const GroupForm = onDemand(async () => (await import("./-group-form")).GroupForm);
const DeleteGroup = onDemand(async () => (await import("./-delete-group")).DeleteGroup);

/** The forms and questions about groups, each opened by the address; a folder is created in `item`. */
export function GroupDrawers(props: DrawersProps<GroupDrawer, Group>): ReactNode {
  const { drawer, item, known, onClose, onDeleted } = props;
  if (drawer === undefined) return null;
  if (drawer === "create-organization") return <GroupForm parent="" onClose={onClose} />;
  if (drawer === "create") return <GroupForm parent={item ?? ""} onClose={onClose} />;
  const deletes = drawer === "delete";
  return (
    <OpenedRecord
      noun="group"
      uid={item}
      query={groupQuery}
      known={deletes ? known : undefined}
      onClose={onClose}
    >
      {(group) =>
        deletes ? (
          <DeleteGroup group={group} onClose={onClose} onDeleted={() => onDeleted(group.uid)} />
        ) : (
          <GroupForm group={group} onClose={onClose} />
        )
      }
    </OpenedRecord>
  );
}
