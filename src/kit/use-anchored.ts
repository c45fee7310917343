import { useLayoutEffect, useRef, type RefObject } from "react";

import { placeMenu } from "./menu-behaviour";

/**
 * Opens a `popover="manual"` at its button, and asks for it to be closed when somebody goes on elsewhere or what it hangs
 * on moves away. "manual", since an automatic one closes on the press of its own button, whose click opens it again.
 * The focus goes to the first of what `first` selects.
 */
export function useAnchored(
  panel: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  first: string,
  onClose: () => void,
): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const [list, anchor] = [panel.current, button.current];
    if (!list || !anchor) return;
    list.showPopover();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const at = placeMenu(anchor.getBoundingClientRect(), list.getBoundingClientRect(), { width, height });
    Object.assign(list.style, { left: `${at.left}px`, top: `${at.top}px` });
    list.querySelector<HTMLElement>(first)?.focus({ preventScroll: true });

    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true, passive: true };
    const elsewhere = ({ target }: Event) => {
      if (!list.contains(target as Node) && !anchor.contains(target as Node)) close.current();
    };
    for (const type of ["pointerdown", "focusin", "scroll"])
      document.addEventListener(type, elsewhere, options);
    window.addEventListener("resize", () => close.current(), options);
    return () => stop.abort();
  }, [panel, button, first]);
}
