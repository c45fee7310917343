import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Role } from "platform-contract/iam/roles";
import { useScope } from "~/frame/scope/scope";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";

import { isBuiltIn, roleScreens } from "./data";
import { DeleteRole } from "./delete";
import { RoleForm } from "./form";

/** The drawers for roles. Creating one with `item` duplicates that role. */
export function RoleDrawers(props: DrawersProps<Role>): ReactNode {
  const { drawer, item, onClose } = props;
  const { group = props.scope } = useScope();
  if (drawer !== "create" || item === undefined)
    return <Drawers {...props} of={roleScreens} form={RoleForm} remove={DeleteRole} />;
  return (
    <RecordLoader noun="role" uid={item} query={roleScreens.record} onClose={onClose}>
      {(role) => (
        <RoleForm
          template={role}
          scope={group ?? (isBuiltIn(role) ? undefined : parentOf(role.uid))}
          onClose={onClose}
        />
      )}
    </RecordLoader>
  );
}
