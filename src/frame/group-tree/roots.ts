import { isBelow, parentOf, topmost } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";

const READ: string = "CAP_IAM_GROUPS_LIST";

/**
 * The folders that the bindings grant without their organization, topmost only: candidates for top-level rows of the
 * tree. A role with unknown capabilities counts for its own group, but hides nothing below it.
 */
export function distantFolders(bindings: readonly RoleBinding[], roles: readonly Role[]): string[] {
  const capabilities = new Map(roles.map((role) => [role.uid, role.capabilities]));
  const surely: string[] = [];
  const perhaps: string[] = [];
  for (const binding of bindings) {
    const held = capabilities.get(roleUidOf(binding));
    if (held?.includes(READ)) surely.push(parentOf(binding.uid));
    else if (!held) perhaps.push(parentOf(binding.uid));
  }
  const readable = topmost(surely);
  const candidates = perhaps.filter(
    (group) => !readable.some((above) => group === above || isBelow(group, above)),
  );
  return [...new Set([...readable, ...candidates])].filter((group) => parentOf(group) !== "");
}
