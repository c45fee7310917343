import { useEffect, useRef, useState, type RefObject } from "react";

import { keepActive } from "./moves";
import { indexOfKey, type Row } from "./rows";

/**
 * The one row that takes the focus (roving tabindex). It follows the rows: when its own is gone the focus moves on,
 * and while the tree has the focus, the page never loses it.
 */
export function useFocus(
  tree: RefObject<HTMLElement | null>,
  rows: readonly Row[],
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
  useEffect(() => {
    const element = tree.current;
    if (!element || (!wanted.current && !hasFocus.current)) return;
    const row = element.querySelector<HTMLElement>("[role=treeitem][tabindex='0']");
    // After a key the focus goes to the active row; else only when the row that had it was taken away.
    if (row && (wanted.current || !element.contains(document.activeElement)))
      row.focus({ preventScroll: true });
    wanted.current = false;
  });

  return {
    index,
    /** Moves the focus to a row with the next render. */
    moveTo(key: string) {
      wanted.current = true;
      setActive(key);
    },
    onFocus(key: string) {
      hasFocus.current = true;
      setActive(key);
    },
    onBlur: ({ relatedTarget, target }: { relatedTarget: EventTarget | null; target: EventTarget }) => {
      // A row taken away has gone from the document; one that the person left is still there.
      const left = target instanceof Node && target.isConnected;
      const inside = relatedTarget instanceof Node && tree.current?.contains(relatedTarget);
      if (left && !inside) hasFocus.current = false;
    },
  };
}
