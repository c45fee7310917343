import type { ReactNode } from "react";

import type { GroupInvite } from "platform-contract/iam/group-invites";
import { DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";

import { groupInviteScreens } from "./data";

/** Confirms the revocation of an invite. */
export const DeleteGroupInvite = (props: DeleteProps<GroupInvite>): ReactNode => (
  <DeleteRecord
    of={groupInviteScreens}
    {...props}
    consequence="Its link stops working immediately. People who already joined keep their access."
  />
);
