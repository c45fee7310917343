import { useLayoutEffect, type RefObject } from "react";

/** Moves the focus to a notice from anywhere: an open form traps the Tab key. */
export const REACH = "F8";

/** Focuses the first button of `notice` when the user presses F8. */
export function useReach(notice: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const reach = (event: KeyboardEvent) => {
      const button = notice.current?.querySelector("button");
      if (event.key !== REACH || !button) return;
      event.preventDefault();
      button.focus();
    };
    window.addEventListener("keydown", reach);
    return () => window.removeEventListener("keydown", reach);
  }, [notice]);
}
