import { useLayoutEffect } from "react";

/**
 * Gives the focus back when something that took it closes: to the element that had it when it opened; where that is
 * gone (its row was deleted), to the list around it, or to what stands in place of that one's rows; else to the page's
 * heading.
 * Mantine's own needs the component to be there before it opens, which one that is loaded on demand is not.
 */
export function useReturnFocus(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    const home = opener?.closest<HTMLElement>("[data-focus-home]");
    return () => {
      // After the dialog is out of the document, and after whatever the closing itself focuses.
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
