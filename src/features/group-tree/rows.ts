/** A group as the tree shows it. */
export interface TreeNode {
  readonly uid: string;
  readonly name: string;
}

/** The parent of the topmost rows. */
export const TOP = "";

/** What is known of the children of one group, or of the topmost groups. */
export interface Level {
  /** Loaded rows in the server's order. */
  readonly nodes: readonly TreeNode[];
  /** Of all pages; undefined when the server does not count. */
  readonly total: number | undefined;
  /** Whether there is a next page. */
  readonly more: boolean;
  readonly state: "loading" | "ready" | "loading more" | "failed" | "failed more";
  /** Those of its rows that are known to hold no groups, before they are opened. */
  readonly leaves?: ReadonlySet<string> | undefined;
  /** When the service wants to be asked again for what failed, in ms. */
  readonly retryAt?: number | undefined;
}

export interface TreeState {
  /** Levels by their parent's uid; `TOP` for the topmost one. */
  readonly levels: ReadonlyMap<string, Level>;
  readonly expanded: ReadonlySet<string>;
  /** Groups that must be shown although their page may not be loaded, by parent. */
  readonly pinned: ReadonlyMap<string, readonly TreeNode[]>;
  /** Topmost groups whose parents the caller cannot see; they follow the organizations. */
  readonly distant: readonly TreeNode[];
}

interface Place {
  readonly key: string;
  /** uid of the group above, or `TOP`. */
  readonly parent: string;
  /** 1 for the topmost rows, as in aria-level. */
  readonly depth: number;
}

export interface NodeRow extends Place {
  readonly kind: "node";
  readonly node: TreeNode;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** From 1; undefined while rows before it are missing. */
  readonly position: number | undefined;
  /** Of all its siblings, loaded or not; undefined when the server does not count. */
  readonly setSize: number | undefined;
}

export interface MoreRow extends Place {
  readonly kind: "more";
  readonly busy: boolean;
  readonly failed: boolean;
  /** Rows not loaded yet; undefined when the server does not count. */
  readonly missing: number | undefined;
  /** Whether scrolling near is enough. Not beside a pinned row, which would be pushed out of sight without end. */
  readonly auto: boolean;
  /** When the service wants to be asked again, in ms. */
  readonly retryAt: number | undefined;
}

export interface LoadingRow extends Place {
  readonly kind: "loading";
}

export interface FailedRow extends Place {
  readonly kind: "failed";
  /** When the service wants to be asked again, in ms. */
  readonly retryAt: number | undefined;
}

export type Row = NodeRow | MoreRow | LoadingRow | FailedRow;

/** The service orders by bytes; code units say the same of all but the rarest characters. */
export const byName = (a: TreeNode, b: TreeNode): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.uid < b.uid ? -1 : 1;

interface Placed {
  readonly node: TreeNode;
  readonly position: number | undefined;
}

/** Puts pinned groups where the order has them: among the loaded rows, or beyond them while there are further pages. */
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

/** Whether a level is known to hold nothing: only then does its group lose the expander. */
const provenEmpty = (level: Level | undefined, pinned: readonly TreeNode[]): boolean =>
  level?.state === "ready" && level.nodes.length === 0 && !level.more && pinned.length === 0;

/** Every visible row in order, top to bottom. */
export function buildRows(state: TreeState): Row[] {
  const { levels, expanded, pinned, distant } = state;
  const rows: Row[] = [];
  const pinnedIn = (parent: string) => pinned.get(parent) ?? [];

  function pushNode({ node, position }: Placed, parent: string, depth: number, setSize: number | undefined) {
    const { uid } = node;
    const level = levels.get(uid);
    // What is loaded of a group itself counts for more than what was known before it was opened.
    const leaf = !level?.nodes.length && !pinnedIn(uid).length && levels.get(parent)?.leaves?.has(uid);
    const expandable = !leaf && !provenEmpty(level, pinnedIn(uid));
    const open = expandable && expanded.has(uid);
    rows.push({ kind: "node", key: uid, parent, depth, node, expandable, expanded: open, position, setSize });
    if (open) pushLevel(uid, depth + 1);
  }

  function pushMore(level: Level, parent: string, depth: number, name: string, beyond: number) {
    rows.push({
      kind: "more",
      // The count makes it another row after each page, so that the focus goes to the first new one.
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
export const indexOfKey = (rows: readonly Row[], key: string | undefined): number =>
  key === undefined ? -1 : rows.findIndex((row) => row.key === key);
