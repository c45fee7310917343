import { isUid, parentOf, rootOf } from "~/contract/aip";
import { isPerson } from "~/contract/iam/people";
import { roleBindings, roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import { paramToUid } from "~/features/scope/uid-param";
import { defineScreens } from "~/resource/define";
import { choice, contains, searched, type Filter, type SearchOf } from "~/resource/filters";
import { shorten } from "~/ui/display/shorten";

/** uid of a binding's identity. Some responses include it only in the hydrated `identity` (contract 1.4). */
export const identityUidOf = ({ identityUid, identity }: RoleBinding): string =>
  identityUid ?? identity?.uid ?? "";

/** Names the identity, by email if there is one. */
export const whoOf = (binding: RoleBinding): string =>
  binding.identity?.email || binding.identity?.name || shorten(identityUidOf(binding));
export const roleNameOf = (binding: RoleBinding): string => binding.role?.name || shorten(roleUidOf(binding));
export const groupNameOf = ({ uid, group }: RoleBinding): string => group?.name || shorten(parentOf(uid));

/** True if the identity is a machine. */
export const isOfMachine = (binding: RoleBinding): boolean => !isPerson(identityUidOf(binding));

/** True if the binding grants ownership of a whole organization. */
export const isOrganizationOwner = (binding: RoleBinding): boolean => {
  const group = parentOf(binding.uid);
  return rootOf(group) === group && parentOf(roleUidOf(binding)) === "" && binding.role?.name === "owner";
};

/** Filters by a record's uid, as it appears in the address bar. `parameter`: its name in the API. */
const byUid = (parameter: string, label: string): Filter<unknown> => ({
  label,
  parse: (text) => {
    const uid = paramToUid(text.trim());
    return isUid(uid) ? uid.replaceAll("/", "_") : undefined;
  },
  query: (value) => ({ [parameter]: paramToUid(value) }),
  describe: (value) => `${parameter} is ${shorten(paramToUid(value))}`,
});

const filters = {
  identity: byUid("identity", "Identity"),
  role: byUid("role", "Role"),
  kind: choice<RoleBinding>(
    "Kind",
    [
      { value: "person", label: "people" },
      { value: "machine", label: "machines" },
    ],
    { matches: (kind) => (binding) => isOfMachine(binding) === (kind === "machine") },
  ),
  contains: searched(
    contains<RoleBinding>("Identity, role or folder", (binding) => [
      binding.identity?.name,
      binding.identity?.email,
      binding.role?.name,
      binding.group?.name,
    ]),
  ),
};
export type RoleBindingSearch = SearchOf<typeof filters>;

export const roleBindingScreens = defineScreens(roleBindings, {
  filters,
  order: "name",
  nameOf: (binding: RoleBinding) => `${whoOf(binding)}, ${roleNameOf(binding)} in ${groupNameOf(binding)}`,
});
