/**
 * The ref of an overlay's content: focuses the element that is marked for it before the overlay is painted. Mantine's
 * trap does it by a timer, perhaps after the next key.
 */
export function focusFirst(content: HTMLElement | null): void {
  content?.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true });
}
