import { parentOf } from "~/contract/aip";
import { roles, type Role } from "~/contract/iam/roles";
import { defineScreens } from "~/resource/define";
import { choice, contains, exact, type SearchOf } from "~/resource/filters";

/** Built-in roles lie at the root level, and belong to every organization. */
export const isBuiltIn = ({ uid }: Pick<Role, "uid">): boolean => parentOf(uid) === "";

const KINDS = [
  { value: "custom", label: "custom" },
  { value: "built-in", label: "built-in" },
] as const;

const filters = {
  name: exact("name", "Name is exactly"),
  contains: contains<Role>("Name or description contains", ({ name, description }) => [name, description]),
  kind: choice<Role>("Kind", KINDS, {
    matches: (kind) => (role) => isBuiltIn(role) === (kind === "built-in"),
  }),
  holds: contains<Role>("Holds", ({ capabilities = [] }) => capabilities),
};
export type RoleSearch = SearchOf<typeof filters>;

export const roleScreens = defineScreens(roles, {
  filters,
  order: "name",
  locked: (record: Role) =>
    isBuiltIn(record) ? "Built-in roles are the platform's own; a custom one can hold the same" : undefined,
});
