import { isBelow, parentOf, topmost } from "platform-contract/aip";

import { TOP, type TreeNode } from "./rows";

/**
 * Places the groups on the path to the current one. `chain`: the current group and its visible ancestors; `roots`:
 * topmost folders from other sources; `organizations`: uids of the loaded topmost level.
 */
export function pin(
  chain: readonly TreeNode[],
  roots: readonly TreeNode[],
  organizations: readonly string[],
): { pinned: Map<string, readonly TreeNode[]>; distant: readonly TreeNode[] } {
  const visible = new Set(chain.map(({ uid }) => uid));
  const pinned = new Map<string, readonly TreeNode[]>();
  const topFolders = new Map(roots.map((node) => [node.uid, node]));
  for (const node of chain) {
    const parent = parentOf(node.uid) || TOP;
    if (parent !== TOP && !visible.has(parent)) topFolders.set(node.uid, node);
    else pinned.set(parent, [...(pinned.get(parent) ?? []), node]);
  }
  const shown = [...organizations, ...(pinned.get(TOP) ?? []).map(({ uid }) => uid)];
  const distant = topmost([...topFolders.keys()]).filter(
    (uid) => !shown.some((above) => uid === above || isBelow(uid, above)),
  );
  return { pinned, distant: distant.flatMap((uid) => topFolders.get(uid) ?? []) };
}
