import { isWithin, parentOf } from "~/contract/aip";
import { roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import type { Role } from "~/contract/iam/roles";
import { reaches } from "~/screens/identities/reach";

/** A capability at a group, and the role bindings that give it there: the nearest first. */
export interface Held {
  readonly capability: string;
  readonly by: readonly RoleBinding[];
}

/** What an identity can do at one group and below. */
export interface GroupAccess {
  /** uid of the group. */
  readonly group: string;
  readonly held: readonly Held[];
  /** The role bindings that apply there, inherited ones included: the nearest first. */
  readonly bindings: readonly RoleBinding[];
  /** Those of them whose role could not be read. */
  readonly unknown: readonly RoleBinding[];
}

/**
 * The capabilities of an identity at each group where it has a role binding, with those that it inherits from groups above
 * (contract B24, B25). In groups between and below it can do what it can at the nearest of these above.
 */
export function accessOf(
  identity: string,
  bindings: readonly RoleBinding[],
  roles: readonly Role[],
): GroupAccess[] {
  const sets = new Map(roles.map(({ uid, capabilities = [] }) => [uid, capabilities]));
  const counting = bindings.filter(({ uid }) => reaches(identity, parentOf(uid)));
  const groups = [...new Set(counting.map(({ uid }) => parentOf(uid)))].toSorted();
  return groups.map((group) => {
    const here = counting
      .filter(({ uid }) => isWithin(group, parentOf(uid)))
      .toSorted((a, b) => b.uid.length - a.uid.length);
    const held = new Map<string, RoleBinding[]>();
    for (const binding of here)
      for (const capability of new Set(sets.get(roleUidOf(binding))))
        held.set(capability, [...(held.get(capability) ?? []), binding]);
    return {
      group,
      held: [...held].map(([capability, by]) => ({ capability, by })),
      bindings: here,
      unknown: here.filter((binding) => !sets.has(roleUidOf(binding))),
    };
  });
}

/** How many of the bindings have no effect: they lie outside of what the identity can reach. */
export const withoutEffect = (identity: string, bindings: readonly RoleBinding[]): number =>
  bindings.filter(({ uid }) => !reaches(identity, parentOf(uid))).length;
