import type { ReactNode } from "react";

import type { Group } from "platform-contract/iam/groups";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";

import { groupScreens } from "./data";
import { DeleteGroup } from "./delete";
import { GroupForm } from "./form";
import { MoveDrawer } from "./move/drawer";
import { TeardownDrawer } from "./teardown/drawer";

export { GroupActs } from "./acts";

/** Creates a folder in `item` or else in the scope, and an organization in neither. */
export function GroupDrawers(props: DrawersProps<Group>): ReactNode {
  const { drawer, item, scope, onClose } = props;
  if (drawer === "create-organization") return <GroupForm onClose={onClose} />;
  if (drawer === "create") return <GroupForm scope={item ?? scope} onClose={onClose} />;
  if (drawer === "teardown") return <TeardownDrawer {...props} />;
  if (drawer === "move") return <MoveDrawer {...props} />;
  return <Drawers {...props} of={groupScreens} form={GroupForm} remove={DeleteGroup} />;
}
