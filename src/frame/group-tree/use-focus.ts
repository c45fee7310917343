import { useLayoutEffect, useRef, useState, type RefObject } from "react";

import { keepActive } from "./moves";
import { indexOfKey, type AnyTreeRow } from "./rows";

/**
 * The focusable row (roving tabindex). When that row is removed, another one takes over, so that the focus is not lost
 * while it is in the tree.
 */
export function useFocus(
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
