import { by } from "platform-contract/order";

/** A group in the tree. */
export interface TreeNode {
  readonly uid: string;
  readonly name: string;
}

/** The parent of the topmost rows. */
export const TOP = "";

/** The known children of one group, or the topmost groups. */
export interface Level {
  /** Loaded rows in the server's order. */
  readonly nodes: readonly TreeNode[];
  /** Across all pages; undefined if the server does not count. */
  readonly total: number | undefined;
  /** True if there is a next page. */
  readonly more: boolean;
  readonly state: "loading" | "ready" | "loading more" | "failed" | "failed more";
  /** Earliest time to retry what failed, in ms. */
  readonly retryAt?: number | undefined;
}

export interface TreeState {
  /** Levels by their parent's uid; `TOP` for the topmost one. */
  readonly levels: ReadonlyMap<string, Level>;
  readonly expanded: ReadonlySet<string>;
  /** Groups to show even if their page is not loaded, by parent. */
  readonly pinned: ReadonlyMap<string, readonly TreeNode[]>;
  /** Topmost groups whose parents the user cannot see; shown after the organizations. */
  readonly distant: readonly TreeNode[];
  /** True if a group is known to have no folders, even before it is opened. */
  readonly childless?: (uid: string) => boolean;
}

interface Place {
  readonly key: string;
  /** uid of the parent group, or `TOP`. */
  readonly parent: string;
  /** 1 for the topmost rows, as in aria-level. */
  readonly depth: number;
}

export interface NodeRow extends Place {
  readonly kind: "node";
  readonly node: TreeNode;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** 1-based; undefined while preceding rows are not loaded. */
  readonly position: number | undefined;
  /** Number of siblings, loaded or not; undefined if the server does not count. */
  readonly setSize: number | undefined;
}

export interface MoreRow extends Place {
  readonly kind: "more";
  readonly busy: boolean;
  readonly failed: boolean;
  /** Number of rows not loaded yet; undefined if the server does not count. */
  readonly missing: number | undefined;
  /** True if scrolling near loads it. False next to a pinned row, which would be pushed out of view endlessly. */
  readonly auto: boolean;
  /** Earliest time to retry, in ms. */
  readonly retryAt: number | undefined;
}

export interface LoadingRow extends Place {
  readonly kind: "loading";
}

export interface FailedRow extends Place {
  readonly kind: "failed";
  /** Earliest time to retry, in ms. */
  readonly retryAt: number | undefined;
}

export type AnyTreeRow = NodeRow | MoreRow | LoadingRow | FailedRow;

/** As the service sorts, except for capitals outside of ASCII. */
export const byName = by<TreeNode>(
  ({ name }) => name.toLowerCase(),
  ({ uid }) => uid,
);

interface Placed {
  readonly node: TreeNode;
  readonly position: number | undefined;
}

/** Inserts pinned groups in sort order: among the loaded rows, or after them while there are more pages. */
function place(level: Level, pinned: readonly TreeNode[]): { loaded: Placed[]; beyond: Placed[] } {
  const loaded: Placed[] = level.nodes.map((node, index) => ({ node, position: index + 1 }));
  const beyond: Placed[] = [];
  const known = new Set(level.nodes.map(({ uid }) => uid));
  const last = level.nodes.at(-1);
  for (const node of pinned.filter(({ uid }) => !known.has(uid)).toSorted(byName)) {
    const entry = { node, position: undefined };
    if (level.more && (!last || byName(last, node) < 0)) {
      beyond.push(entry);
      continue;
    }
    const next = loaded.findIndex((other) => byName(node, other.node) < 0);
    loaded.splice(next < 0 ? loaded.length : next, 0, entry);
  }
  return { loaded, beyond };
}

/** True if a level is known to be empty; only then does its group lose the expander. */
const isKnownEmpty = (level: Level | undefined, pinned: readonly TreeNode[]): boolean =>
  level?.state === "ready" && level.nodes.length === 0 && !level.more && pinned.length === 0;

/** All visible rows, top to bottom. */
export function buildRows(state: TreeState): AnyTreeRow[] {
  const { levels, expanded, pinned, distant, childless } = state;
  const rows: AnyTreeRow[] = [];
  const pinnedIn = (parent: string) => pinned.get(parent) ?? [];

  function pushNode({ node, position }: Placed, parent: string, depth: number, setSize: number | undefined) {
    const { uid } = node;
    const level = levels.get(uid);
    // A group's own loaded level takes precedence over what the descendants showed before it was opened.
    const leaf = !level?.nodes.length && !pinnedIn(uid).length && childless?.(uid);
    const expandable = !leaf && !isKnownEmpty(level, pinnedIn(uid));
    const open = expandable && expanded.has(uid);
    rows.push({ kind: "node", key: uid, parent, depth, node, expandable, expanded: open, position, setSize });
    if (open) pushLevel(uid, depth + 1);
  }

  function pushMore(level: Level, parent: string, depth: number, name: string, beyond: number) {
    rows.push({
      kind: "more",
      // The count changes the key after each page, so that the focus moves to the first new row.
      key: `${name}:${parent}:${level.nodes.length}`,
      parent,
      depth,
      busy: level.state === "loading more",
      failed: level.state === "failed more",
      missing: level.total === undefined ? undefined : Math.max(0, level.total - level.nodes.length - beyond),
      auto: beyond === 0,
      retryAt: level.retryAt,
    });
  }

  function pushLevel(parent: string, depth: number, after: readonly TreeNode[] = []) {
    const level = levels.get(parent);
    if (!level || level.state === "loading") {
      rows.push({ kind: "loading", key: `loading:${parent}`, parent, depth });
      return;
    }
    const { loaded, beyond } = place(level, pinnedIn(parent));
    const size = level.total ?? (level.more || level.state === "failed" ? undefined : loaded.length);
    const setSize = size === undefined ? undefined : size + after.length;
    for (const entry of loaded) pushNode(entry, parent, depth, setSize);
    if (level.state === "failed")
      rows.push({ kind: "failed", key: `failed:${parent}`, parent, depth, retryAt: level.retryAt });
    if (level.more && beyond.length > 0) pushMore(level, parent, depth, "gap", beyond.length);
    for (const entry of beyond) pushNode(entry, parent, depth, setSize);
    if (level.more) pushMore(level, parent, depth, "more", beyond.length);
    after.forEach((node, index) =>
      pushNode({ node, position: size === undefined ? undefined : size + index + 1 }, parent, depth, setSize),
    );
  }

  pushLevel(TOP, 1, distant.toSorted(byName));
  return rows;
}

/** The index of a group's row, or -1. */
export const indexOfKey = (rows: readonly AnyTreeRow[], key: string | undefined): number =>
  key === undefined ? -1 : rows.findIndex((row) => row.key === key);
