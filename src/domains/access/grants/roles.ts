import { useInfiniteQuery } from "@tanstack/react-query";

import { useCurrentUser, type CurrentUser } from "~/frame/permissions/current-user";
import { infinite, rowsOf } from "~/api/queries/queries";
import { isWithin, PAGE_SIZE_MAX, parentOf, rootOf } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";
import { reaches } from "./reach";
import { formatQuantity } from "~/ui/display/numbers";

/** What it takes to give others a role. */
export const GRANT = "CAP_IAM_ROLE_BINDINGS_CREATE";

/** The built-in roles, which belong to every organization. */
export const builtIn = infinite(roles.list, {
  "uidp.in_root": true,
  order_by: "name",
  page_size: PAGE_SIZE_MAX,
});
const customOf = (organization: string) =>
  infinite(roles.list, {
    "uidp.descendants_of": organization,
    order_by: "name",
    page_size: PAGE_SIZE_MAX,
  });

/** Returns the capabilities that the caller has at a group; undefined if they aren't fully known. */
export function heldAt(who: CurrentUser, group: string): ReadonlySet<string> | undefined {
  if (who.state !== "known") return undefined;
  const sets = new Map(who.roles.map(({ uid, capabilities = [] }) => [uid, capabilities]));
  const here = who.bindings.filter(
    ({ uid }) => isWithin(group, parentOf(uid)) && reaches(who.identityUid ?? "", parentOf(uid)),
  );
  const held = here.map((binding) => sets.get(roleUidOf(binding)));
  // If no known binding covers the group, an unreadable one may.
  if (held.length === 0 || held.includes(undefined)) return undefined;
  return new Set(held.flatMap((capabilities) => capabilities ?? []));
}

/** Capabilities of a role that the caller lacks. The service refuses to let them grant such a role. */
export const lacking = (role: Role, held: ReadonlySet<string> | undefined): readonly string[] =>
  held ? (role.capabilities ?? []).filter((capability) => !held.has(capability)) : [];

export interface RoleChoice {
  readonly roles: readonly Role[];
  /** The same, plus custom roles of other groups of the organization. */
  readonly everywhere: readonly Role[];
  /** Options for a select. Roles that the caller cannot grant are disabled, and say so. */
  readonly options: readonly { value: string; label: string; disabled?: boolean }[];
  readonly pending: boolean;
  /** True if there are more custom roles than these. */
  readonly more: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The roles that can be granted at a group: built-in ones, and custom ones of that group or above. */
export function useRoleChoice(group: string): RoleChoice {
  const who = useCurrentUser();
  const platform = useInfiniteQuery(builtIn);
  const custom = useInfiniteQuery({ ...customOf(rootOf(group)), enabled: group !== "" });
  const everywhere = [...rowsOf(custom.data).rows, ...rowsOf(platform.data).rows];
  const all = everywhere.filter(({ uid }) => parentOf(uid) === "" || isWithin(group, parentOf(uid)));
  const held = heldAt(who, group);
  return {
    roles: all,
    everywhere,
    options: all.map((role) => {
      const missing = lacking(role, held).length;
      const kind = parentOf(role.uid) === "" ? "built-in" : "custom";
      return missing > 0
        ? {
            value: role.uid,
            label: `${role.name} (${formatQuantity(missing, "capability", "capabilities")} you don't have)`,
            disabled: true,
          }
        : { value: role.uid, label: `${role.name} (${kind})` };
    }),
    pending: platform.isPending || (group !== "" && custom.isPending),
    more: custom.hasNextPage,
    error: platform.error ?? custom.error,
    retry: () => void (platform.error ? platform : custom).refetch(),
  };
}

/**
 * Returns the bindings that take effect and grant at least one of the capabilities, or all bindings if none are given.
 * `unknown`: true if some roles could not be read.
 */
export function holdersOf(
  bindings: readonly RoleBinding[],
  roles: readonly Role[],
  needs: readonly string[] | undefined,
): { readonly shown: readonly RoleBinding[]; readonly unknown: boolean } {
  if (needs === undefined) return { shown: bindings, unknown: false };
  const sets = new Map(roles.map(({ uid, capabilities = [] }) => [uid, capabilities]));
  const counting = bindings.filter(({ uid, identityUid, identity }) =>
    reaches(identityUid ?? identity?.uid ?? "", parentOf(uid)),
  );
  return {
    shown: counting.filter((binding) => needs.some((each) => sets.get(roleUidOf(binding))?.includes(each))),
    unknown: counting.some((binding) => !sets.has(roleUidOf(binding))),
  };
}
