import type { ReactNode } from "react";

import { RoleBadge } from "~/features/roles/role-badge";
import { formatQuantity } from "~/ui/display/numbers";

import { useRoleChoice } from "./roles";
import classes from "./styles.module.css";

interface RoleSummaryProps {
  /** "" until one is chosen. */
  readonly roleUid: string;
  /** uid of the group where it is granted. */
  readonly group: string;
}

/** What the chosen role is for, in its own words. */
export function RoleSummary({ roleUid, group }: RoleSummaryProps): ReactNode {
  const role = useRoleChoice(group).roles.find(({ uid }) => uid === roleUid);
  if (!role) return null;
  return (
    <div className={classes["roleSummary"]}>
      <RoleBadge name={role.name} />
      <span className={classes["note"]}>
        {role.description ? <bdi>{role.description} </bdi> : null}
        {formatQuantity(role.capabilities?.length ?? 0, "capability", "capabilities")}.
      </span>
    </div>
  );
}
