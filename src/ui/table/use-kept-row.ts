import { useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from "react";

/**
 * Keeps the focused row in the document however far it is scrolled away. If the focused element is removed (its page is
 * evicted, the last row is deleted), moves the focus to the list, or to the heading of its empty state, so that it does
 * not go to the top of the page.
 */
export function useKeptRow(frame: RefObject<HTMLElement | null>, keys: readonly string[]) {
  const [focused, setFocused] = useState<string>();
  const index = focused === undefined ? -1 : keys.indexOf(focused);
  const within = useRef(false);
  useLayoutEffect(() => {
    if (!within.current || document.activeElement !== document.body) return;
    within.current = false;
    const home = frame.current?.querySelector<HTMLElement>("[data-focus-home]");
    (home ?? frame.current)?.focus({ preventScroll: true });
  });
  return {
    index,
    handlers: {
      onFocus({ target }: FocusEvent<HTMLElement>) {
        within.current = true;
        setFocused(target.closest<HTMLElement>("[data-row-key]")?.dataset["rowKey"]);
      },
      onBlur({ relatedTarget }: FocusEvent<HTMLElement>) {
        setFocused(undefined);
        // An element that is removed loses the focus without a `relatedTarget`: the user has not left the list.
        if (relatedTarget) within.current = false;
      },
    },
  };
}
