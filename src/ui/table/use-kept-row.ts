import { useEffect, useRef, useState, type FocusEvent, type RefObject } from "react";

/**
 * The row that has the focus stays in the document however far it is scrolled away. When what has it goes after all (its
 * page is let go, its last row deleted), the list has it, or the heading of what stands in place of rows: nobody is sent to
 * the top of the page.
 */
export function useKeptRow(frame: RefObject<HTMLElement | null>, keys: readonly string[]) {
  const [focused, setFocused] = useState<string>();
  const index = focused === undefined ? -1 : keys.indexOf(focused);
  const within = useRef(false);
  useEffect(() => {
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
        // What is taken out of the document loses the focus to nothing, and nobody has left it.
        if (relatedTarget) within.current = false;
      },
    },
  };
}
