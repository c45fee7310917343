import { useImperativeHandle, useLayoutEffect, type Ref, type RefObject } from "react";

/**
 * Stands in for an existing element where Mantine requires the target as a child: popups are loaded on demand, and
 * their button must be mounted before.
 */
export function Anchor({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => of.current as HTMLElement, [of]);
  return null;
}

/**
 * Returns the focus to the button when the panel that had it closes. Mantine does so only for a panel that was mounted
 * before it opened, unlike a panel loaded on demand.
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
