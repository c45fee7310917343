import type { ReactNode } from "react";

import type { GroupInvite } from "platform-contract/iam/group-invites";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";

import { groupInviteScreens } from "./data";
import { DeleteGroupInvite } from "./delete";
import { GroupInviteForm } from "./form";
import { ReissueForm } from "./reissue";

export function GroupInviteDrawers(props: DrawersProps<GroupInvite>): ReactNode {
  const { drawer, item, onClose, onDeleted } = props;
  if (drawer !== "reissue")
    return <Drawers {...props} of={groupInviteScreens} form={GroupInviteForm} remove={DeleteGroupInvite} />;
  return (
    <RecordLoader noun="invite" uid={item} query={groupInviteScreens.record} onClose={onClose}>
      {(record) => <ReissueForm record={record} onClose={onClose} onDeleted={() => onDeleted(record.uid)} />}
    </RecordLoader>
  );
}
