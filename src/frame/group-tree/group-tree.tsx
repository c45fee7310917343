import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
} from "react";
import { thePast } from "~/api/client/moment";
import { announce } from "~/ui/feedback/announcer";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { MenuList, type MenuAction } from "~/ui/overlay/menu";
import { useVirtualRows } from "~/ui/table/use-virtual-rows";
import styles from "./group-tree.module.css";
import { moveOf, typeAhead, type Move, keepActive } from "./moves";
import { indexOfKey, type NodeRow, type TreeNode, type AnyTreeRow } from "./rows";
import { TreeRow, type LinkTo } from "./tree-row";
import { useTreeDrag, type GroupDrag } from "./use-drag";
import { useTree } from "./use-tree";

/**
 * The focusable row (roving tabindex). When that row is removed, another one takes over, so that the focus is not lost
 * while it is in the tree.
 */
function useFocus(
  tree: RefObject<HTMLElement | null>,
  rows: readonly AnyTreeRow[],
  current: string | undefined,
) {
  const [active, setActive] = useState<string>();
  const [before, setBefore] = useState(rows);
  if (before !== rows) {
    setBefore(rows);
    setActive(keepActive(before, rows, active));
  }
  const known = indexOfKey(rows, active);
  const fallback = known >= 0 ? known : indexOfKey(rows, current);
  const index = fallback >= 0 ? fallback : rows.findIndex(({ kind }) => kind !== "loading");

  const hasFocus = useRef(false);
  const wanted = useRef(false);
  useLayoutEffect(() => {
    const element = tree.current;
    if (!element || (!wanted.current && !hasFocus.current)) return;
    const row = element.querySelector<HTMLElement>("[role=treeitem][tabindex='0']");
    // After a key press, focus the active row; otherwise only if the focused row was removed.
    if (row && (wanted.current || !element.contains(document.activeElement)))
      row.focus({ preventScroll: true });
    wanted.current = false;
  });

  return {
    index,
    /** Focuses a row with the next render. */
    moveTo(key: string) {
      wanted.current = true;
      setActive(key);
    },
    onFocus(key: string) {
      hasFocus.current = true;
      setActive(key);
    },
    onBlur: ({ relatedTarget, target }: { relatedTarget: EventTarget | null; target: EventTarget }) => {
      // A removed row is no longer connected; one that the user left still is.
      const left = target instanceof Node && target.isConnected;
      const inside = relatedTarget instanceof Node && tree.current?.contains(relatedTarget);
      if (left && !inside) hasFocus.current = false;
    },
  };
}

export type { LinkTo } from "./tree-row";

const ROW_HEIGHT = 28;
/** Maximum milliseconds between two letters of one type-ahead search. */
const TYPE_AHEAD_RESET_MS = 600;

/**
 * The groups as a tree (WAI-ARIA tree view). Loads a level when it is opened, page by page, and renders only the
 * visible rows. `owner` (issuer and subject) separates the open groups of users who share a tab.
 */
export function GroupTree(props: {
  readonly label: string;
  readonly owner: string;
  /** uid of the group that the screen is about. */
  readonly current: string | undefined;
  readonly linkTo: LinkTo;
  /** The menu of a group; none if absent. */
  readonly actions?: ((node: TreeNode) => readonly MenuAction[]) | undefined;
  /** What dragging does; nothing can be dragged if absent. */
  readonly drag?: GroupDrag | undefined;
}): ReactNode {
  const { label, owner, current, linkTo, actions, drag } = props;
  const { rows, settled, known, more, revealed, change, load } = useTree(owner, current);
  const tree = useRef<HTMLDivElement>(null);
  const { over, handlers } = useTreeDrag(drag);
  const focus = useFocus(tree, rows, current);
  const typed = useRef({ text: "", at: 0 });

  // The active row stays mounted even when scrolled out of view, since it has the focus.
  const { track, height, indexes, shift } = useVirtualRows({
    scroller: tree,
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    headerHeight: 0,
    ofPage: false,
    kept: focus.index,
  });
  const drawn = indexes.flatMap((index) => {
    const row = rows[index];
    return row ? [{ row, index }] : [];
  });

  useEffect(() => {
    for (const { row } of drawn)
      if (row.kind === "loading" || (row.kind === "more" && row.auto && !row.busy && !row.failed)) load(row);
  });

  // Scrolls to the current group and to a revealed one once, when its path has loaded; after that, only the user scrolls.
  const shown = useRef<readonly unknown[]>([]);
  const currentIndex = indexOfKey(rows, current);
  const revealedIndex = indexOfKey(rows, revealed?.uid);
  useEffect(() => {
    const show = (what: unknown, index: number) => {
      if (what === undefined || shown.current.includes(what) || index < 0) return;
      const [place, room] = [track.place(), track.room()];
      // Do not scroll if it is already visible.
      if (index <= place || index >= place + room - 1) track.moveTo(index - room / 2);
      if (settled) shown.current = [...shown.current.slice(-1), what];
    };
    show(current, currentIndex);
    show(revealed, revealedIndex);
  }, [track, current, currentIndex, revealed, revealedIndex, settled]);

  // Screen reader users would not notice that the expander disappears when a group turns out to be empty.
  const opening = useRef<string>(undefined);
  useEffect(() => {
    const row = rows[indexOfKey(rows, opening.current)];
    if (row?.kind !== "node" || row.expandable) return;
    opening.current = undefined;
    announce(`${row.node.name} has no subfolders`);
  }, [rows]);

  function follow(move: Move) {
    if (move.type === "expand") {
      [opening.current] = move.uids;
      return change(move.uids, true);
    }
    if (move.type === "collapse") return change([move.uid], false);
    focus.moveTo(move.key);
    const index = indexOfKey(rows, move.key);
    const room = (tree.current?.clientHeight ?? 0) / ROW_HEIGHT;
    if (index < track.place()) track.moveTo(index);
    else if (index + 1 > track.place() + room) track.moveTo(index + 1 - room);
  }

  function type(letter: string, at: number): Move | undefined {
    const text = at - typed.current.at < TYPE_AHEAD_RESET_MS ? typed.current.text + letter : letter;
    typed.current = { text, at };
    return typeAhead(rows, focus.index, text);
  }

  const [menu, setMenu] = useState<{ readonly node: TreeNode; readonly row: RefObject<HTMLElement> }>();
  const menuId = useId();
  const openMenu =
    actions &&
    ((row: NodeRow, element: HTMLElement) => setMenu({ node: row.node, row: { current: element } }));

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[focus.index];
    if (openMenu && (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))) {
      event.preventDefault();
      if (row?.kind === "node" && event.target instanceof HTMLElement) openMenu(row, event.target);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const word = typed.current.text !== "" && event.timeStamp - typed.current.at < TYPE_AHEAD_RESET_MS;
    // Enter follows a link natively; during type-ahead, a space is part of the name.
    if ((key === " " && !word) || (key === "Enter" && row?.kind !== "node")) {
      event.preventDefault();
      if (event.target instanceof HTMLElement) event.target.click();
      return;
    }
    const letter = [...key].length === 1 && key !== "*";
    const move = letter ? type(key, event.timeStamp) : moveOf(rows, focus.index, key);
    // Navigation keys never scroll the tree, even if they do not move the focus.
    if (letter || key.startsWith("Arrow") || ["Home", "End", "*"].includes(key)) event.preventDefault();
    if (move) follow(move);
  }

  const toggle = ({ node: { uid }, expanded }: NodeRow) =>
    follow(expanded ? { type: "collapse", uid } : { type: "expand", uids: [uid] });
  const nameOf = (uid: string): string | undefined => {
    const row = rows[indexOfKey(rows, uid)];
    return row?.kind === "node" ? row.node.name : undefined;
  };

  if (rows.length === 0)
    return (
      <p className={styles["none"]}>
        {more ? "Your folders are in the list of groups." : known ? "No groups yet" : "Loading…"}
      </p>
    );
  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label={label}
        aria-busy={!settled || undefined}
        className={styles["tree"]}
        onKeyDown={onKeyDown}
        onBlur={focus.onBlur}
        {...handlers}
      >
        <div role="none" className={styles["canvas"]} style={{ height }}>
          {drawn.map(({ row, index }) => (
            <TreeRow
              key={row.key}
              row={row}
              within={row.kind === "node" ? undefined : nameOf(row.parent)}
              current={row.key === current}
              active={index === focus.index}
              top={index * ROW_HEIGHT - shift}
              linkTo={linkTo}
              onToggle={toggle}
              onLoad={load}
              onFocus={focus.onFocus}
              fresh={row.key === revealed?.uid ? revealed.word : undefined}
              mark={thePast()?.differenceOf(row.key)}
              onMenu={openMenu}
              draggable={row.kind === "node" && drag?.canDrag(row.key) === true}
              over={row.key === over}
            />
          ))}
        </div>
      </div>
      {menu && actions ? (
        <>
          <VisuallyHidden id={menuId}>Actions for {menu.node.name}</VisuallyHidden>
          <MenuList
            id={menuId}
            actions={actions(menu.node)}
            button={menu.row}
            onClose={() => setMenu(undefined)}
          />
        </>
      ) : null}
    </>
  );
}
