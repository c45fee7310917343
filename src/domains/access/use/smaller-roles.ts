import { isWithin, parentOf } from "platform-contract/aip";
import { PULL } from "platform-contract/capability";
import { by } from "platform-contract/order";
import type { Role } from "platform-contract/iam/roles";

import { refusedBy, usesOf, type UseFacts } from "./facts";

/** A smaller role that a binding can be reduced to. */
export interface Smaller {
  readonly role: Role;
  /** What it would have refused of what was used; undefined if use isn't counted. */
  readonly refusal: ReturnType<typeof refusedBy> | undefined;
}

/**
 * The roles that allow less than the one that an identity has in a group, the best first: those that would have refused the
 * least of what was used, and of those the smallest. Of what was never used, what is needed is unknown: the largest first.
 */
export function smallerRoles(
  { group, identity, role }: { readonly group: string; readonly identity: string; readonly role: string },
  roles: readonly Role[],
  use: UseFacts | undefined,
): Smaller[] {
  const own = roles.find(({ uid }) => uid === role)?.capabilities;
  if (!own) return [];
  const held = new Set(own);
  const used = use?.since === undefined ? undefined : usesOf(use, { identity, group, capabilities: held });
  const isUsed = used !== undefined && used.length > 0;
  const lost = ({ refusal, role: { capabilities = [] } }: Smaller): number =>
    isUsed ? (refusal?.refused.count ?? 0) : capabilities.includes(PULL) === held.has(PULL) ? 0 : 1;
  return roles
    .filter(
      ({ uid, capabilities = [] }) =>
        (parentOf(uid) === "" || isWithin(group, parentOf(uid))) &&
        capabilities.length > 0 &&
        capabilities.length < own.length &&
        capabilities.every((one) => held.has(one)),
    )
    .map((one): Smaller => ({ role: one, refusal: used && refusedBy(used, one.capabilities) }))
    .toSorted(
      by(
        lost,
        ({ role: { capabilities = [] } }) => (isUsed ? 1 : -1) * capabilities.length,
        ({ role: one }) => one.name,
      ),
    );
}
