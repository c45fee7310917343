import { isUid, parentOf, rootOf } from "~/contract/aip";
import { roleBindings, roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import { paramToUid } from "~/features/scope/uid-param";
import { defineScreens } from "~/resource/define";
import { choice, contains, type Filter, type SearchOf } from "~/resource/filters";
import { shorten } from "~/ui/display/shorten";

/** The uid of the identity of a binding, in answers that repeat it and in those that only hydrate it (contract 1.4). */
export const identityUidOf = ({ identityUid, identity }: RoleBinding): string =>
  identityUid ?? identity?.uid ?? "";

/** Who has the access: a person by email where there is one. */
export const whoOf = (binding: RoleBinding): string =>
  binding.identity?.email || binding.identity?.name || shorten(identityUidOf(binding));
export const roleNameOf = (binding: RoleBinding): string => binding.role?.name || shorten(roleUidOf(binding));
export const groupNameOf = ({ uid, group }: RoleBinding): string => group?.name || shorten(parentOf(uid));

/** Whether it is a machine that has the access: people lie at the root level. */
export const isOfMachine = (binding: RoleBinding): boolean => parentOf(identityUidOf(binding)) !== "";

/** Whether the binding makes an owner of a whole organization. */
export const isOrganizationOwner = (binding: RoleBinding): boolean => {
  const group = parentOf(binding.uid);
  return rootOf(group) === group && parentOf(roleUidOf(binding)) === "" && binding.role?.name === "owner";
};

/** A record by its uid, as it stands in the address bar. `parameter`: its name in the API. */
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
  contains: contains<RoleBinding>("Identity, role, or group contains", (binding) => [
    binding.identity?.name,
    binding.identity?.email,
    binding.role?.name,
    binding.group?.name,
  ]),
};
export type RoleBindingSearch = SearchOf<typeof filters>;

export const roleBindingScreens = defineScreens(roleBindings, {
  filters,
  order: "name",
  nameOf: (binding: RoleBinding) => `${whoOf(binding)} as ${roleNameOf(binding)} in ${groupNameOf(binding)}`,
});
