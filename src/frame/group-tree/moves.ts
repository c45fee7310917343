import { indexOfKey, type AnyTreeRow } from "./rows";

/** The effect of a key in the tree (WAI-ARIA Authoring Practices, tree view). */
export type Move =
  | { readonly type: "focus"; readonly key: string }
  | { readonly type: "expand"; readonly uids: readonly string[] }
  | { readonly type: "collapse"; readonly uid: string };

const focusable = (row: AnyTreeRow | undefined): row is AnyTreeRow =>
  row !== undefined && row.kind !== "loading";

const focus = (row: AnyTreeRow | undefined): Move | undefined =>
  focusable(row) ? { type: "focus", key: row.key } : undefined;

function step(rows: readonly AnyTreeRow[], from: number, by: 1 | -1): AnyTreeRow | undefined {
  for (let index = from + by; index >= 0 && index < rows.length; index += by)
    if (focusable(rows[index])) return rows[index];
  return undefined;
}

/** Maximum number of siblings that `*` opens; with more, those around the active one. */
const SIBLINGS_AT_ONCE = 200;

function siblings(rows: readonly AnyTreeRow[], active: number): readonly string[] {
  const parent = rows[active]?.parent;
  const fits = (row: AnyTreeRow) => row.kind === "node" && row.parent === parent && row.expandable;
  const all = rows.filter(fits);
  // Not its index in `all`: the active row may not be expandable itself.
  const at = rows.slice(0, active).filter(fits).length;
  const start = Math.max(0, Math.min(at - SIBLINGS_AT_ONCE / 2, all.length - SIBLINGS_AT_ONCE));
  return all
    .slice(start, start + SIBLINGS_AT_ONCE)
    .flatMap((row) => (row.kind === "node" && !row.expanded ? [row.node.uid] : []));
}

/** The move of a key (`KeyboardEvent.key`) from a row; undefined if the key does nothing there. */
export function moveOf(rows: readonly AnyTreeRow[], active: number, key: string): Move | undefined {
  const row = rows[active];
  if (!row) return undefined;
  switch (key) {
    case "ArrowDown":
      return focus(step(rows, active, 1));
    case "ArrowUp":
      return focus(step(rows, active, -1));
    case "Home":
      return focus(step(rows, -1, 1));
    case "End":
      return focus(step(rows, rows.length, -1));
    case "ArrowRight": {
      if (row.kind !== "node" || !row.expandable) return undefined;
      if (!row.expanded) return { type: "expand", uids: [row.node.uid] };
      const child = rows[active + 1];
      return child && child.depth > row.depth ? focus(child) : undefined;
    }
    case "ArrowLeft":
      if (row.kind === "node" && row.expanded) return { type: "collapse", uid: row.node.uid };
      return focus(rows[indexOfKey(rows, row.parent)]);
    case "*": {
      const uids = row.kind === "node" ? siblings(rows, active) : [];
      return uids.length > 0 ? { type: "expand", uids } : undefined;
    }
    default:
      return undefined;
  }
}

/** The next loaded group whose name starts with `typed`, wrapping around; repeating one letter cycles through them. */
export function typeAhead(rows: readonly AnyTreeRow[], active: number, typed: string): Move | undefined {
  const letters = [...typed.toLocaleLowerCase()];
  const repeated = letters.every((letter) => letter === letters[0]);
  const wanted = repeated ? letters[0] : letters.join("");
  if (!wanted) return undefined;
  const start = repeated ? active + 1 : Math.max(0, active);
  for (let offset = 0; offset < rows.length; offset += 1) {
    const row = rows[(start + offset) % rows.length];
    if (row?.kind === "node" && row.node.name.toLocaleLowerCase().startsWith(wanted)) return focus(row);
  }
  return undefined;
}

/**
 * The row to focus after the rows changed. If the active row is gone: for a group, its nearest remaining ancestor; for
 * any other row, the row that took its place.
 */
export function keepActive(
  before: readonly AnyTreeRow[],
  after: readonly AnyTreeRow[],
  active: string | undefined,
): string | undefined {
  if (active === undefined || indexOfKey(after, active) >= 0) return active;
  const index = indexOfKey(before, active);
  const gone = before[index];
  if (!gone) return undefined;
  const keys = new Set(after.map(({ key }) => key));
  for (
    let uid = gone.kind === "node" ? gone.parent : "";
    uid !== "";
    uid = uid.slice(0, Math.max(0, uid.lastIndexOf("/")))
  )
    if (keys.has(uid)) return uid;
  const there = after[Math.min(index, after.length - 1)];
  return focusable(there) ? there.key : (step(after, index, -1) ?? step(after, index, 1))?.key;
}
