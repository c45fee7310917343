import { isBelow, parentOf, topmost } from "~/contract/aip";
import type { Group } from "~/contract/iam/groups";
import { roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import type { Role } from "~/contract/iam/roles";
import type { ListAnswer } from "~/contract/resource";

const READ: string = "CAP_IAM_GROUPS_LIST";

/**
 * The folders that somebody's bindings give them without its organization, topmost only: candidates for rows at the top
 * of the tree. A role whose capabilities are not known counts for its own group, but hides nothing below it.
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

/** One step of the walk over everything visible. */
export interface RootsFound {
  readonly roots: readonly Group[];
  /** Rows to skip for the next step; undefined at the end. */
  readonly next: number | undefined;
}

/**
 * Reads one page of everything visible in uid order, where a group comes before what lies below it, and keeps the
 * topmost ones. Where the page ends inside a subtree, the next step begins behind it: a page of ten thousand folders of
 * one organization is jumped over by their count, not read.
 */
export async function findRoots(
  skip: number,
  list: (query: { skip: number }) => Promise<ListAnswer<Group>>,
  countBelow: (uid: string) => Promise<number | undefined>,
): Promise<RootsFound> {
  const { items, nextPageToken } = await list({ skip });
  const roots: Group[] = [];
  let at = 0;
  items.forEach((group, index) => {
    const last = roots.at(-1);
    if (last && isBelow(group.uid, last.uid)) return;
    roots.push(group);
    at = index;
  });
  if (!nextPageToken) return { roots, next: undefined };
  const read = skip + items.length;
  const last = roots.at(-1);
  if (!last || last === items.at(-1)) return { roots, next: read };
  const below = await countBelow(last.uid);
  // Also where nothing is counted, or rows went away meanwhile: never back to what was read.
  return { roots, next: Math.max(read, skip + at + 1 + (below ?? 0)) };
}
