import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { parentOf } from "platform-contract/aip";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { AppliesTo } from "~/domains/access/grants/applies-to";
import { useRoleChoice } from "~/domains/access/grants/roles";
import { abilities } from "~/domains/access/roles/abilities";
import { DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";
import { useCount } from "~/frame/record/use-count";
import { Notice } from "~/ui/feedback/notice";

import {
  grantAgain,
  groupNameOf,
  identityUidOf,
  isOrganizationOwner,
  roleNameOf,
  whoOf,
} from "~/domains/access/grants/bindings";
import { roleBindingScreens } from "./data";

/** Confirms the removal of a role. Warns if it is the user's own, or that of an organization's last owner. */
export function DeleteRoleBinding(props: DeleteProps<RoleBinding>): ReactNode {
  return isOrganizationOwner(props.record) ? <DeleteOwner {...props} /> : <Ask {...props} />;
}

function DeleteOwner(props: DeleteProps<RoleBinding>): ReactNode {
  const { record } = props;
  const group = parentOf(record.uid);
  const owners = useCount(roleBindings.list, { group, role: roleUidOf(record) }, group);
  return (
    <Ask
      {...props}
      undecided={owners.pending ? "Still counting the other owners" : undefined}
      last={owners.count !== undefined && Number(owners.count) <= 1}
    />
  );
}

interface AskProps extends DeleteProps<RoleBinding> {
  readonly undecided?: string | undefined;
  /** True if no other identity has the owner role in the organization. */
  readonly last?: boolean;
}

function Ask({ last = false, ...props }: AskProps): ReactNode {
  const { record } = props;
  const client = useQueryClient();
  const { identityUid } = useCurrentUser();
  const own = identityUidOf(record) === identityUid;
  const where = groupNameOf(record);
  return (
    <DeleteRecord
      of={roleBindingScreens}
      {...props}
      typeName={own || last}
      title={
        <>
          Remove <bdi>{whoOf(record)}</bdi>&apos;s role <bdi>{roleNameOf(record)}</bdi> in <bdi>{where}</bdi>?
        </>
      }
      verb={{ act: "Remove role", acting: "Removing" }}
      done={`Removed ${whoOf(record)}'s role ${roleNameOf(record)} in ${where}`}
      onDeleted={() => {
        props.onDeleted();
        // The user may no longer be allowed to see what is on screen.
        if (own) void client.invalidateQueries();
      }}
      again={own ? undefined : grantAgain(record)}
      consequence={`This grant ends immediately, in ${where} and everything below it. What ${whoOf(record)} can do there through other role bindings, granted here or further up, stays.`}
    >
      <Lost binding={record} />
      {own ? (
        <Notice tone="warning" title="This is your own access">
          You lose it immediately. Only someone else with access to {where} can grant it again. If it is your
          last role in the organization, they have to invite you.
        </Notice>
      ) : null}
      {last ? (
        <Notice tone="warning" title="This is the last owner">
          {where} has no other owner. Without one, it might be impossible to manage.
        </Notice>
      ) : null}
    </DeleteRecord>
  );
}

/** What goes with a role: all that it allows, in every repo that it covers. */
function Lost({ binding }: { readonly binding: RoleBinding }): ReactNode {
  const group = parentOf(binding.uid);
  const role = useRoleChoice(group).roles.find(({ uid }) => uid === roleUidOf(binding));
  return (
    <>
      {role ? (
        <p>
          The role <bdi>{role.name}</bdi> has {abilities(role.capabilities ?? [])}. They lose all of it.
        </p>
      ) : null}
      <AppliesTo group={group} />
    </>
  );
}
