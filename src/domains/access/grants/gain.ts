import { isWithin, parentOf } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";
import { reaches } from "./reach";

/** What granting a role at a group would change for an identity. */
export interface Gain {
  /** An existing binding with the same role, at the group or above it. */
  readonly same: RoleBinding | undefined;
  /** Capabilities that the identity doesn't have there through any readable role. */
  readonly gained: readonly string[];
  /** True if it has an unreadable role there, so it may already have some of these. */
  readonly unsure: boolean;
  /** True if the identity belongs to a folder that doesn't contain the group, so the role has no effect. */
  readonly unreachable: boolean;
}

/** Compares a role with what an identity already has from bindings at a group and above. */
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
    // The nearest one is enough.
    same: covering.toSorted((a, b) => b.uid.length - a.uid.length)[0],
    gained: (role.capabilities ?? []).filter((capability) => !held.has(capability)),
    unsure: sets.includes(undefined),
    unreachable: !reaches(identity, group),
  };
}
