import { isWithin, parentOf } from "~/contract/aip";
import { roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import type { Role } from "~/contract/iam/roles";
import { reaches } from "~/screens/identities/reach";

/** What a role would change for an identity at a group. */
export interface Gain {
  /** The binding that gives the same role there already, at the group itself or above it. */
  readonly same: RoleBinding | undefined;
  /** Capabilities that the identity does not hold there by any role that can be read. */
  readonly gained: readonly string[];
  /** It holds a role there that cannot be read, so that some of these may be held already. */
  readonly unsure: boolean;
  /** The identity belongs to a folder that does not hold the group, and gets nothing. */
  readonly unreachable: boolean;
}

/** Compares a role with what an identity holds at a group by its bindings, there and above (contract B24, B25). */
export function gainOf(
  { identity, role, group }: { readonly identity: string; readonly role: Role; readonly group: string },
  bindings: readonly RoleBinding[],
  roles: readonly Role[],
): Gain {
  const known = new Map(roles.map(({ uid, capabilities = [] }) => [uid, capabilities]));
  const counting = bindings.filter(
    ({ uid }) => isWithin(group, parentOf(uid)) && reaches(identity, parentOf(uid)),
  );
  const sets = counting.map((binding) => known.get(roleUidOf(binding)));
  const held = new Set(sets.flatMap((capabilities) => capabilities ?? []));
  const covering = bindings.filter(
    (binding) => roleUidOf(binding) === role.uid && isWithin(group, parentOf(binding.uid)),
  );
  return {
    // The nearest one: the others go without saying.
    same: covering.toSorted((a, b) => b.uid.length - a.uid.length)[0],
    gained: (role.capabilities ?? []).filter((capability) => !held.has(capability)),
    unsure: sets.includes(undefined),
    unreachable: !reaches(identity, group),
  };
}
