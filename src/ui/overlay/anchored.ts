import { useImperativeHandle, useLayoutEffect, type Ref, type RefObject } from "react";

/**
 * Stands for an element that is on the page already where Mantine wants its target as a child: what opens at a button is
 * loaded on demand, and the button must be there before.
 */
export function Anchor({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => of.current as HTMLElement, [of]);
  return null;
}

/**
 * Gives the focus to the button when the panel that had it closes. Mantine's own does so for a panel that was there
 * before it opened, which one that is loaded on demand is not.
 */
export function useFocusBack(
  panel: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(
    () => () => {
      if (panel.current?.contains(document.activeElement)) button.current?.focus({ preventScroll: true });
    },
    [panel, button],
  );
}
