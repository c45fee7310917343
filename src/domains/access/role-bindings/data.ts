import { isUid } from "platform-contract/aip";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { groupNameOf, isOfMachine, roleNameOf, whoOf } from "~/domains/access/grants/bindings";
import { paramToUid } from "~/frame/scope/uid-param";
import { defineScreens } from "~/frame/define";
import { choice, contains, searched, type Filter, type SearchOf } from "~/frame/list/filters";
import { shorten } from "~/ui/display/shorten";

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

export const loadDrawers = () => import("./drawers");

export const roleBindingScreens = defineScreens(roleBindings, {
  drawers: { load: async () => (await loadDrawers()).RoleBindingDrawers },
  filters,
  deletion: { label: "Remove role", changesAccess: true },
  nameOf: (binding: RoleBinding) => `${whoOf(binding)}, ${roleNameOf(binding)} in ${groupNameOf(binding)}`,
});
