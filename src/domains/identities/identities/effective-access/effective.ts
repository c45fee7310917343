import { isWithin, parentOf } from "platform-contract/aip";
import { PULL, PUSH } from "platform-contract/capability";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";
import { reaches } from "~/domains/access/grants/reach";

/** A capability at a group, and the role bindings that grant it there, nearest first. */
export interface HeldCapability {
  readonly capability: string;
  readonly by: readonly RoleBinding[];
}

/** What an identity can do in one group and below. */
export interface GroupAccess {
  /** uid of the group. */
  readonly group: string;
  readonly held: readonly HeldCapability[];
  /** The role bindings that apply there, including inherited ones, nearest first. */
  readonly bindings: readonly RoleBinding[];
  /** The ones whose role could not be read. */
  readonly unknown: readonly RoleBinding[];
}

/**
 * Returns the capabilities of an identity at each group where it has a role binding, including those inherited from
 * groups above. Any other group has the capabilities of the nearest of these above it.
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

/** What an identity can do with images in a group and below. */
export interface ImageAccess {
  readonly group: string;
  readonly pull: boolean;
  readonly push: boolean;
}

/** Where an identity can pull or push images; a group only if one above it doesn't allow as much. */
export function imagesOf(all: readonly GroupAccess[]): readonly ImageAccess[] {
  const each = all.map(({ group, held }) => ({
    group,
    pull: held.some(({ capability }) => capability === PULL),
    push: held.some(({ capability }) => capability === PUSH),
  }));
  return each.filter(
    ({ group, pull, push }) =>
      (pull || push) &&
      !each.some(
        (above) =>
          above.group !== group && isWithin(group, above.group) && above.pull === pull && above.push === push,
      ),
  );
}
