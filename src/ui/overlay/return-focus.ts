import { useInsertionEffect, useLayoutEffect, useRef } from "react";

/**
 * Returns the focus when an overlay that took it closes: to the element that had it before; if that is gone (its row
 * was deleted), to the list around it, or to the list's empty state; otherwise to the page's heading. Mantine's own
 * requires the component to be mounted before it opens, unlike one loaded on demand.
 */
export function useReturnFocus(opened: boolean): void {
  const before = useRef<Element>(null);
  // Before the layout effects inside the overlay, which move the focus.
  useInsertionEffect(() => {
    if (opened) before.current = document.activeElement;
  }, [opened]);
  useLayoutEffect(() => {
    if (!opened) return;
    const opener = before.current instanceof HTMLElement ? before.current : undefined;
    const home = opener?.closest<HTMLElement>("[data-focus-home]");
    return () => {
      // Runs after the dialog has left the document, and after any focus change of the closing itself.
      setTimeout(() => {
        const held = document.activeElement;
        if (held && held !== document.body && held.isConnected && !held.closest("[role=dialog]")) return;
        const [other, heading] = ["[data-focus-home]", "h1[tabindex]"].map((selector) =>
          document.querySelector<HTMLElement>(selector),
        );
        const back = [opener, home, home && other, heading].find(
          (each) => each?.isConnected && each !== document.body,
        );
        back?.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}
