import type { ReactNode } from "react";

import { roleBindings } from "~/contract/iam/role-bindings";
import type { Role } from "~/contract/iam/roles";
import { Counted, DeleteRecord } from "~/resource/delete-record";
import type { DeleteProps } from "~/resource/drawers";
import { useCount } from "~/resource/use-count";

import { roleScreens } from "./data";

/** Asks before a role is deleted. One that somebody holds stays (contract B2). */
export function DeleteRole(props: DeleteProps<Role>): ReactNode {
  const { uid } = props.record;
  const count = useCount(roleBindings.list, { role: uid }, uid);
  return (
    <DeleteRecord
      of={roleScreens}
      {...props}
      consequence="Nobody can be given this role from then on. This cannot be undone."
    >
      <Counted
        {...count}
        what="role bindings"
        one="role binding gives it: delete that first"
        many="role bindings give it: delete those first"
        none="Nobody holds it."
      />
    </DeleteRecord>
  );
}
