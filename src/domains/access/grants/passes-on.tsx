import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { Notice } from "~/ui/feedback/notice";

import { GRANT, useRoleChoice } from "./roles";

interface PassesOnProps {
  /** Form field with the role's uid. */
  readonly name?: string;
  /** uid of the group where the role is granted. */
  readonly group: string;
  /** Who decides who gets the role, as a sentence. */
  readonly children: ReactNode;
}

/** Warns if the chosen role can give access to others, where somebody outside this service decides who gets it. */
export function PassesOn({ name = "roleUid", group, children }: PassesOnProps): ReactNode {
  const { roles } = useRoleChoice(group);
  const chosen: unknown = useWatch({ name });
  const role = roles.find(({ uid }) => uid === chosen);
  if (!role?.capabilities?.includes(GRANT)) return null;
  return (
    <Notice tone="warning" title={`${role.name} can give access to others`}>
      {children}
    </Notice>
  );
}
