import type { KeyboardEvent } from "react";

const STOPS = "a[href], button, input, select, [tabindex='0']";
const ROW = "[data-row-key]";
const BOX = "[type=checkbox]";

const stopsIn = (element: Element | null): HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>(STOPS) ?? []),
];

/** A row by its index in the whole list, when it is in the document. */
const rowAt = (list: Element, index: number): Element | null =>
  list.querySelector(`${ROW}[aria-rowindex="${index + 2}"]`);

/**
 * Where a key leads in a list: the arrows from row to row, Tab through the row that has the focus (at first the topmost
 * in view) and then on. Else every row would be a few steps between the header and the footer, and there are 100,000.
 * `first`: index of that topmost row. Undefined: the key does what it does anywhere.
 */
export function stopAfter(event: KeyboardEvent<HTMLElement>, first: number): HTMLElement | undefined {
  const { key, shiftKey, target, currentTarget: list } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // A dialog that the list has opened lies elsewhere.
  if (!list.contains(target)) return undefined;
  const row = target.closest(ROW);
  if (key === "Tab") {
    const only = row ?? rowAt(list, first);
    const stops = stopsIn(list).filter((stop) => [only, null].includes(stop.closest(ROW)));
    return stops[stops.indexOf(target) + (shiftKey ? -1 : 1)];
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  // A button's arrows are those of its menu.
  if (!row || step === undefined || target.matches(`button, input:not(${BOX}), select`)) return undefined;
  const stops = stopsIn(rowAt(list, Number(row.getAttribute("aria-rowindex")) - 2 + step));
  return stops[stopsIn(row).indexOf(target)] ?? stops[0];
}

/** Selects the row that has the focus, where rows can be selected: `x`; with Shift all rows since the one picked last. */
export function picksRow({ key, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const here = (target as Element).matches("a, [type=checkbox]") && (target as Element).closest(ROW);
  const row = /^x$/i.test(key) && !ctrlKey && !metaKey && here;
  return row
    ? row.querySelector(BOX)?.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey })) === true
    : false;
}
