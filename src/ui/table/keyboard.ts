import type { KeyboardEvent } from "react";

const STOPS = "a[href], button, input, select, [tabindex='0']";
const ROW = "[data-row-key]";
const BOX = "[type=checkbox]";

const stopsIn = (element: Element | null): HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>(STOPS) ?? []),
];

/** Returns a row by its index in the whole list, if it is in the document. */
const rowAt = (list: Element, index: number): Element | null =>
  list.querySelector(`${ROW}[aria-rowindex="${index + 2}"]`);

/**
 * Returns the element that a key moves the focus to: arrows go from row to row; Tab goes through the focused row
 * (initially the topmost in view), and then past the list. Otherwise, every row would add Tab stops between the header
 * and the footer, for 100,000 rows. `first`: index of the topmost row. Undefined: the key keeps its default action.
 */
export function stopAfter(event: KeyboardEvent<HTMLElement>, first: number): HTMLElement | undefined {
  const { key, shiftKey, target, currentTarget: list } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // Dialogs opened from the list render in a portal, outside of it.
  if (!list.contains(target)) return undefined;
  const row = target.closest(ROW);
  if (key === "Tab") {
    const only = row ?? rowAt(list, first);
    const stops = stopsIn(list).filter((stop) => [only, null].includes(stop.closest(ROW)));
    return stops[stops.indexOf(target) + (shiftKey ? -1 : 1)];
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  // Arrow keys on a button belong to its menu.
  if (!row || step === undefined || target.matches(`button, input:not(${BOX}), select`)) return undefined;
  const stops = stopsIn(rowAt(list, Number(row.getAttribute("aria-rowindex")) - 2 + step));
  return stops[stopsIn(row).indexOf(target)] ?? stops[0];
}

/** Handles `x`: selects the focused row, if rows are selectable; with Shift, all rows from the last one picked. */
export function picksRow({ key, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const here = (target as Element).matches("a, [type=checkbox]") && (target as Element).closest(ROW);
  const row = /^x$/i.test(key) && !ctrlKey && !metaKey && here;
  return row
    ? row.querySelector(BOX)?.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey })) === true
    : false;
}
