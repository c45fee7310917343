import { againOf, type Again } from "~/api/bulk/recreation-plan";
import { parentOf, rootOf } from "platform-contract/aip";
import { isPerson } from "~/frame/scope/people";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { shorten } from "~/ui/display/shorten";

/** uid of a binding's identity. Some responses include it only in the hydrated `identity`. */
export const identityUidOf = ({ identityUid, identity }: RoleBinding): string =>
  identityUid ?? identity?.uid ?? "";

/** Names the identity, by email if there is one. */
export const whoOf = (binding: RoleBinding): string =>
  binding.identity?.email || binding.identity?.name || shorten(identityUidOf(binding));
export const roleNameOf = (binding: RoleBinding): string => binding.role?.name || shorten(roleUidOf(binding));
export const groupNameOf = ({ uid, group }: RoleBinding): string => group?.name || shorten(parentOf(uid));

/** What a removed binding is granted again from. */
export const grantAgain = (binding: RoleBinding): Again =>
  againOf("roleBindings", parentOf(binding.uid), {
    ...binding,
    identityUid: identityUidOf(binding),
    roleUid: roleUidOf(binding),
  });

/** True if the identity is a machine. */
export const isOfMachine = (binding: RoleBinding): boolean => !isPerson(identityUidOf(binding));

/** True if the binding grants ownership of a whole organization. */
export const isOrganizationOwner = (binding: RoleBinding): boolean => {
  const group = parentOf(binding.uid);
  return rootOf(group) === group && parentOf(roleUidOf(binding)) === "" && binding.role?.name === "owner";
};
