import { LockIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { neededText } from "~/frame/permissions/permission-text";
import { isWithin, parentOf, rootOf } from "platform-contract/aip";
import { roleUidOf } from "platform-contract/iam/role-bindings";
import { HiddenEmpty } from "~/ui/feedback/empty";
import { frameParts } from "~/frame/parts";

import { useGroup } from "./group-ancestry";
import { YourRoles } from "./your-roles";
import classes from "./hidden-by-role.module.css";

/** Whom to ask for a permission in a group; undefined if the user is the one who would be asked. */
function useOwnerToAsk(group: string | undefined): string | undefined {
  const { bindings, roles } = useCurrentUser();
  const { group: organization } = useGroup(group ? rootOf(group) : undefined);
  const isOwner = bindings.some(
    (binding) =>
      (group === undefined || isWithin(group, parentOf(binding.uid))) &&
      roles.some(({ uid, name }) => uid === roleUidOf(binding) && name === "owner" && parentOf(uid) === ""),
  );
  if (isOwner) return undefined;
  return organization?.name ? `an owner of ${organization.name}` : "an owner of the organization";
}

interface HiddenByRoleProps {
  /** Of a screen that hides nothing, but whose action isn't allowed. */
  readonly title?: string | undefined;
  /** The missing capability, by its name in the API; several are joined by commas. */
  readonly capability: string | undefined;
  /** Why it takes that, as the beginning of a sentence. */
  readonly because?: string | undefined;
  /** uid of the group where it is missing, or of a record in it. */
  readonly group: string | undefined;
  /** uid of the group for which access can be asked, if the user knows one. */
  readonly place?: string | undefined;
  readonly action?: ReactNode;
  readonly level?: 1 | 2;
}

/** In place of what the user's role hides: what it would need, and whom to ask. */
export function HiddenByRole({
  title,
  capability,
  because,
  group,
  place,
  action,
  level = 2,
}: HiddenByRoleProps): ReactNode {
  const owner = useOwnerToAsk(group);
  const { AskForAccess } = frameParts();
  const ask = AskForAccess && owner && place ? <AskForAccess group={place} /> : undefined;
  return (
    <HiddenEmpty
      title={title}
      needs={capability && neededText(capability)}
      because={because}
      ask={owner}
      has={<YourRoles group={group} />}
      action={
        ask || action ? (
          <>
            {ask}
            {action}
          </>
        ) : undefined
      }
      level={level}
    />
  );
}

/** The same in one line of a section. */
export const HiddenLine = ({ capability }: Pick<HiddenByRoleProps, "capability">): ReactNode => (
  <p className={classes["line"]}>
    <LockIcon size={14} />
    <span>
      Hidden by your role
      {capability ? `: needs permission to ${neededText(capability)}` : ""}
    </span>
  </p>
);
