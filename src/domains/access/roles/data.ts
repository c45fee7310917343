import { linkOptions } from "@tanstack/react-router";

import { parentOf } from "platform-contract/aip";
import { roleWords } from "platform-contract/iam/built-in-roles";
import { roles, type Role } from "platform-contract/iam/roles";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { contains as holdsText } from "~/ui/contains";
import { defineScreens } from "~/frame/define";
import { choice, contains, exact, pinned, searched, type Filter, type SearchOf } from "~/frame/list/filters";
import { isUidParam, type Address } from "~/frame/scope/address";
import type { LinkTarget } from "~/ui/layout/link";

/** Built-in roles are at the root level, and belong to every organization. */
export const isBuiltIn = ({ uid }: Pick<Role, "uid">): boolean => parentOf(uid) === "";
export const kindWord = (role: Pick<Role, "uid">): string => (isBuiltIn(role) ? "Built-in" : "Custom");

const KINDS = [
  { value: "custom", label: "custom" },
  { value: "built-in", label: "built-in" },
] as const;

/** Normalizes "repo.create" and "subscriptions.create" to compare them with wire names such as "REPO_CREATE". */
const asWire = (text: string): string =>
  text
    .trim()
    .replaceAll(/[.\s]+/g, "_")
    .replaceAll(/s(?=_|$)/gi, "");

const holds: Filter<Role> = {
  ...contains<Role>("Has capability", () => []),
  describe: (value) => `has capability "${value}"`,
  matches: (value) => {
    const sought = asWire(value);
    return ({ capabilities = [] }) => holdsText(sought, capabilities.map(asWire));
  },
};

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(contains<Role>("Name or description", (role) => [role.name, roleWords(role)])),
  kind: pinned(
    choice<Role>("Kind", KINDS, {
      matches: (kind) => (role) => isBuiltIn(role) === (kind === "built-in"),
    }),
  ),
  holds,
};
export type RoleSearch = SearchOf<typeof filters>;

export const roleScreens = defineScreens(roles, {
  // "create" on a role's page duplicates it: the form starts with its values.
  drawers: { load: async () => (await import("./drawers")).RoleDrawers, page: ["create"] },
  filters,
  locked: (record: Role) =>
    isBuiltIn(record) ? "Built-in roles can't be changed. Duplicate it as a custom role" : undefined,
  deletion: { changesAccess: true },
});

/** Query key of the holder counts in role rows. Under "roleBindings", so that writes to those invalidate it. */
export const HOLDERS_OF_ROWS = ["roleBindings", "of roles"] as const;

/** Links to the role bindings with a role, wherever they are. */
export const bindingsOf = (uid: string): LinkTarget =>
  linkOptions({
    to: "/role-bindings",
    search: { role: uidToParam(uid), group: isBuiltIn({ uid }) ? undefined : uidToParam(parentOf(uid)) },
  });

/** Maximum number of roles to compare. */
export const COMPARED_MAX = 8;

/** uids of the roles to compare, with `_` for `/`, and whether to show only the differences. */
export interface CompareSearch {
  readonly roles?: string | undefined;
  readonly differences?: "only" | undefined;
}
export function readCompare({ roles: listed, differences }: Address): CompareSearch {
  const params = typeof listed === "string" ? listed.split(",").filter(isUidParam) : [];
  const some = [...new Set(params)].slice(0, COMPARED_MAX).join(",");
  return { ...(some && { roles: some }), ...(differences === "only" && { differences }) };
}
export const comparedOf = ({ roles: listed }: CompareSearch): string[] =>
  listed === undefined ? [] : listed.split(",").map(paramToUid);

/** Formats the roles as a search parameter. */
export const rolesParam = (uids: readonly string[]): string | undefined =>
  uids.map(uidToParam).join(",") || undefined;
export const compareOf = (uids: readonly string[]): LinkTarget =>
  linkOptions({ to: "/roles/compare", search: { roles: rolesParam(uids) } });
