const SHOW_AFTER_MS = 350;
const HIDE_AFTER_MS = 120;

const ASKS = "[data-tip], [data-tip-overflow]";

/** A tooltip's text and its element. */
export interface Tip {
  readonly anchor: HTMLElement;
  readonly text: string;
  /** The focused control that the tooltip describes for a screen reader. */
  readonly described?: Element | undefined;
}

function textOf(element: Element): string {
  const text = element.getAttribute("data-tip");
  if (text !== null) return text;
  return element.scrollWidth > element.clientWidth ? (element.textContent ?? "") : "";
}

/** The nearest element at or around `from` with a tooltip that is not empty. */
function asking(from: Element | null): HTMLElement | undefined {
  for (let at = from?.closest<HTMLElement>(ASKS); at; at = at.parentElement?.closest<HTMLElement>(ASKS)) {
    if (textOf(at) !== "") return at;
  }
  return undefined;
}

/** The element with a tooltip at the pointer; a stretched link counts only within its own box. */
function beneath({ clientX, clientY }: PointerEvent): HTMLElement | undefined {
  const covers = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  };
  return document
    .elementsFromPoint(clientX, clientY)
    .filter((element) => !element.matches("[data-tip-through]") || covers(element))
    .map(asking)
    .find(Boolean);
}

/**
 * Listens on the document and calls `show` with the tooltip to show, or undefined; `missed` are earlier events. Returns
 * a function that stops it.
 */
export function watchTips(show: (tip: Tip | undefined) => void, missed: readonly Event[]): () => void {
  const stop = new AbortController();
  let anchor: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let touch = false;

  const hide = () => {
    clearTimeout(timer);
    changes.disconnect();
    if (anchor) show(undefined);
    anchor = undefined;
  };
  // Hides a tooltip whose text has changed.
  const changes = new MutationObserver(hide);
  const open = (element: HTMLElement, described?: Element) => {
    clearTimeout(timer);
    changes.disconnect();
    changes.observe(element, { attributeFilter: ["data-tip"] });
    anchor = element;
    show({ anchor: element, text: textOf(element), described });
  };
  const wait = (then: () => void, after: number) => {
    clearTimeout(timer);
    timer = setTimeout(then, after);
  };

  const over = (event: PointerEvent) => {
    if (event.pointerType === "touch") return;
    const { target } = event;
    if (!(target instanceof Element)) return;
    // The pointer can enter the tooltip itself (WCAG 1.4.13).
    if (target.closest("[role=tooltip]")) return clearTimeout(timer);
    // A row's link covers the cells under it: find the cell at the pointer (table/row.tsx).
    const found = target.closest("[data-tip-through]") ? beneath(event) : asking(target);
    if (found === anchor && found) return clearTimeout(timer);
    if (found) wait(() => found.isConnected && open(found), anchor ? HIDE_AFTER_MS : SHOW_AFTER_MS);
    else if (anchor) wait(hide, HIDE_AFTER_MS);
    else clearTimeout(timer);
  };
  const focus = (event: FocusEvent) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const found = asking(target);
    if (!found || !(touch || target.matches(":focus-visible"))) return;
    // An element with its own description keeps it; its tooltip says the same.
    open(found, target.hasAttribute("aria-describedby") ? undefined : target);
  };
  const press = (event: PointerEvent) => {
    touch = event.pointerType === "touch";
    hide();
  };
  const key = (event: KeyboardEvent) => {
    touch = false;
    if (event.key === "Escape") hide();
  };

  const options = { signal: stop.signal, passive: true };
  document.addEventListener("pointermove", over, options);
  document.addEventListener("focusin", focus, options);
  document.addEventListener("focusout", hide, options);
  document.addEventListener("scroll", hide, { ...options, capture: true });
  document.addEventListener("pointerdown", press, { ...options, capture: true });
  document.documentElement.addEventListener("pointerleave", hide, options);
  document.addEventListener("keydown", key, { ...options, capture: true });
  for (const event of missed) {
    if (event.type === "pointermove") over(event as PointerEvent);
    else if (event.type === "pointerdown") press(event as PointerEvent);
    else if (event.type === "focusin") focus(event as FocusEvent);
  }
  return () => {
    hide();
    stop.abort();
  };
}
