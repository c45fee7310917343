import { parentOf } from "platform-contract/aip";
import { BUILT_IN_ROLES } from "platform-contract/iam/built-in-roles";
import { mostOf } from "~/domains/access/roles/abilities";

import { roleUidIn } from "platform-client/snapshots/fields";
import { textAt, type Collection, type Contents, type SnapshotRow } from "platform-client/snapshots/format";

/**
 * How much a role can do, the most first. A role that neither side describes comes before those that are known not to
 * manage access, since it may.
 */
export const POWERS = ["owner", "manages", "unknown", "changes", "reads"] as const;
export type Power = (typeof POWERS)[number];

const capabilitiesOf = ({ capabilities }: SnapshotRow): readonly string[] | undefined =>
  Array.isArray(capabilities) ? capabilities.filter((each) => typeof each === "string") : undefined;

function powerOfRole(uid: string, name: string, capabilities: readonly string[] | undefined): Power {
  const builtIn =
    parentOf(uid) === "" && Object.hasOwn(BUILT_IN_ROLES, name) ? BUILT_IN_ROLES[name] : undefined;
  if (builtIn && name === "owner") return "owner";
  const known = capabilities ?? builtIn?.can;
  return known ? mostOf(known) : "unknown";
}

/** The powers of what a record of a reading gives: a role binding, or a role itself; none for other kinds. */
export function powersIn({
  records,
}: Contents): (collection: Collection, row: SnapshotRow) => readonly Power[] {
  const roles = new Map(records.roles.map((role) => [role.uid, role]));
  return (collection, row) => {
    if (collection === "roles") return [powerOfRole(row.uid, textAt(row, "name"), capabilitiesOf(row))];
    if (collection !== "roleBindings") return [];
    const uid = roleUidIn(row);
    const role = roles.get(uid);
    return [powerOfRole(uid, textAt(row["role"], "name"), role && capabilitiesOf(role))];
  };
}

/** The greatest of some powers. */
export const greatest = (powers: readonly Power[]): Power | undefined =>
  POWERS.find((power) => powers.includes(power));
