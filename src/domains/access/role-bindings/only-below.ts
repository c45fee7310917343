import { isWithin, parentOf } from "platform-contract/aip";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { isPerson } from "~/frame/scope/people";
import { identityUidOf } from "~/domains/access/grants/bindings";
import { takesEffect } from "~/domains/access/grants/no-effect";

/**
 * The role bindings of identities that have a role with effect only in folders below a group, and how many those are.
 * @param bindings of the group and everything below it, and of those above it
 */
export function onlyBelow(
  group: string,
  bindings: readonly RoleBinding[],
): { readonly people: number; readonly machines: number; readonly rows: readonly RoleBinding[] } {
  const counting = bindings.filter(takesEffect);
  const here = new Set(
    counting.filter(({ uid }) => isWithin(group, parentOf(uid))).map((one) => identityUidOf(one)),
  );
  const rows = counting.filter((one) => !here.has(identityUidOf(one)));
  const below = [...new Set(rows.map((one) => identityUidOf(one)))];
  const people = below.filter(isPerson).length;
  return { people, machines: below.length - people, rows };
}
