import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { groupInvites, type GroupInvite } from "platform-contract/iam/group-invites";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";

import { identityUidOf, isOrganizationOwner } from "./bindings";

/** Why an invite cannot be revoked. */
export function useInviteRefusal(): (invite: GroupInvite) => string | undefined {
  const refusal = useRefusal();
  return ({ uid }) => refusal(groupInvites.delete, uid);
}

/** Why a binding cannot be deleted together with others: one's own, and those of owners, warn about more on their own. */
export function useBulkRefusal(): (binding: RoleBinding) => string | undefined {
  const { identityUid } = useCurrentUser();
  const refusal = useRefusal();
  return (binding) => {
    if (identityUidOf(binding) === identityUid) return "Remove your own access separately";
    if (isOrganizationOwner(binding)) return "Remove organization owners one at a time";
    return refusal(roleBindings.delete, binding.uid);
  };
}
