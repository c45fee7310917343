import type { KeyboardEvent } from "react";

const STOPS = "a[href], button, input, select, [tabindex='0']";
const ROW = "[data-row-key]";
const BOX = "[type=checkbox]";
const MENU = "[aria-haspopup=menu]";

const stopsIn = (element: Element | null): HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>(STOPS) ?? []),
];

/** Returns a row by its index in the whole list, if it is in the document. */
const rowAt = (list: Element, index: number): Element | null =>
  list.querySelector(`${ROW}[aria-rowindex="${index + 2}"]`);

/** The Tab stops of a row: its link, or else its first control, and its menu. Left and right go to the others. */
const mainStops = (row: Element | null): Element[] => {
  const stops = stopsIn(row);
  return stops.filter((stop) => stop === (row?.querySelector("a[href]") ?? stops[0]) || stop.matches(MENU));
};

/**
 * Returns the element that a key moves the focus to: up and down go from row to row, left and right through the controls
 * of a row; Tab stops at one row (initially the topmost in view) and at its menu, and then goes past the list. Otherwise,
 * every row would add Tab stops between the header and the footer, for 100,000 rows. `first`: index of the topmost row.
 * Undefined: the key keeps its default action.
 */
export function stopAfter(event: KeyboardEvent<HTMLElement>, first: number): HTMLElement | undefined {
  const { key, shiftKey, target, currentTarget: list } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // Dialogs opened from the list render in a portal, outside of it.
  if (!list.contains(target)) return undefined;
  const row = target.closest(ROW);
  if (key === "Tab") {
    const main = mainStops(row ?? rowAt(list, first));
    const stops = stopsIn(list).filter(
      (stop) => stop === target || main.includes(stop) || stop.closest(ROW) === null,
    );
    return stops[stops.indexOf(target) + (shiftKey ? -1 : 1)];
  }
  if (!row) return undefined;
  const stops = stopsIn(row);
  const across = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (across !== undefined)
    return target.matches(`input:not(${BOX}), select`) ? undefined : stops[stops.indexOf(target) + across];
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  // Up and down on a button belong to its menu.
  if (step === undefined || target.matches(`button, input:not(${BOX}), select`)) return undefined;
  const next = stopsIn(rowAt(list, Number(row.getAttribute("aria-rowindex")) - 2 + step));
  return next[stops.indexOf(target)] ?? next[0];
}

/** Handles `x`: selects the focused row, if rows are selectable; with Shift, all rows from the last one picked. */
export function picksRow({ key, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const here = (target as Element).matches("a, [type=checkbox]") && (target as Element).closest(ROW);
  const row = /^x$/i.test(key) && !ctrlKey && !metaKey && here;
  return row
    ? row.querySelector(BOX)?.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey })) === true
    : false;
}
