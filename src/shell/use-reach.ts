import { useEffect, type RefObject } from "react";

/** Leads to a notice from anywhere: an open form keeps the Tab key to itself. */
export const REACH = "F8";

/** Focuses the first button of `notice` when its key is pressed. */
export function useReach(notice: RefObject<HTMLElement | null>): void {
  useEffect(() => {
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
