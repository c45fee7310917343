import type { ReactNode } from "react";

import type { Role } from "~/contract/iam/roles";
import { Drawers, type DrawersProps } from "~/resource/drawers";

import { roleScreens } from "./data";
import { DeleteRole } from "./delete";
import { RoleForm } from "./form";

export const RoleDrawers = (props: DrawersProps<Role>): ReactNode => (
  <Drawers {...props} of={roleScreens} form={RoleForm} remove={DeleteRole} />
);
