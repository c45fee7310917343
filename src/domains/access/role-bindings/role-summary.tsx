import type { ReactNode } from "react";

import { PULL, PUSH } from "platform-contract/capability";
import { roleWords } from "platform-contract/iam/built-in-roles";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { formatQuantity } from "~/ui/display/numbers";

import { useRoleChoice } from "~/domains/access/grants/roles";
import choosing from "~/domains/access/grants/choosing.module.css";
import classes from "~/domains/access/grants/styles.module.css";

/** The first question about any role of a registry. */
function imagesOf(capabilities: readonly string[]): string {
  const [pull, push] = [PULL, PUSH].map((each) => capabilities.includes(each));
  if (pull && push) return "Can pull and push images.";
  return pull ? "Can pull images, can't push." : push ? "Can push images." : "Can't pull or push images.";
}

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
  const { capabilities = [] } = role;
  return (
    <div className={choosing["roleSummary"]}>
      <RoleBadge name={role.name} />
      <span className={classes["note"]}>
        {roleWords(role) ? <bdi>{roleWords(role)} · </bdi> : null}
        {formatQuantity(capabilities.length, "capability", "capabilities")}. {imagesOf(capabilities)}
      </span>
    </div>
  );
}
