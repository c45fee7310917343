const SHOW_AFTER_MS = 350;
const HIDE_AFTER_MS = 120;
const GAP = 6;
const EDGE = 8;

const ASKS = "[data-tip], [data-tip-overflow]";

interface Box {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
}

/** Above its anchor, below where there is no room; never over the edge of the window. */
export function placeTip(
  anchor: Box,
  tip: { width: number; height: number },
  view: { width: number; height: number },
): { left: number; top: number } {
  const above = anchor.top - GAP - tip.height;
  const below = Math.min(anchor.bottom + GAP, view.height - EDGE - tip.height);
  const centred = anchor.left + anchor.width / 2 - tip.width / 2;
  return {
    left: Math.max(EDGE, Math.min(centred, view.width - EDGE - tip.width)),
    top: above >= EDGE ? above : below,
  };
}

function textOf(element: Element): string {
  const text = element.getAttribute("data-tip");
  if (text !== null) return text;
  return element.scrollWidth > element.clientWidth ? (element.textContent ?? "") : "";
}

/** The element that asks for a tooltip at or around `from`, and has something to say. */
function asking(from: Element | null): Element | undefined {
  for (let at = from?.closest(ASKS); at; at = at.parentElement?.closest(ASKS)) {
    if (textOf(at) !== "") return at;
  }
  return undefined;
}

/** Who asks at the pointer, a stretched link counted only where its own text is. */
function beneath({ clientX, clientY }: PointerEvent): Element | undefined {
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
 * Listens on the document and shows `tip` for whoever asks, also by what happened before: `missed`. Returns how to stop.
 */
export function installTooltips(tip: HTMLElement, missed: readonly Event[]): () => void {
  const stop = new AbortController();
  let anchor: Element | undefined;
  let described: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let touch = false;

  const hide = () => {
    clearTimeout(timer);
    watch.disconnect();
    timer = undefined;
    anchor = undefined;
    if (tip.matches(":popover-open")) tip.hidePopover();
    if (described?.getAttribute("aria-describedby") === tip.id) described.removeAttribute("aria-describedby");
    described = undefined;
  };
  // A reason that no longer holds is not to be read on.
  const watch = new MutationObserver(hide);
  const show = (element: Element) => {
    anchor = element;
    watch.observe(element, { attributeFilter: ["data-tip"] });
    tip.textContent = textOf(element);
    if (!tip.matches(":popover-open")) tip.showPopover();
    const { left, top } = placeTip(element.getBoundingClientRect(), tip.getBoundingClientRect(), {
      width: document.documentElement.clientWidth,
      height: document.documentElement.clientHeight,
    });
    tip.style.left = `${left}px`;
    tip.style.top = `${top}px`;
  };
  const wait = (then: () => void, after: number) => {
    clearTimeout(timer);
    timer = setTimeout(then, after);
  };

  const over = (event: PointerEvent) => {
    if (event.pointerType === "touch") return;
    const target = event.target as Element;
    if (tip.contains(target)) return clearTimeout(timer);
    // A row's link covers the cells under it: look through it at what the pointer means (list/row.tsx).
    const found = target.closest("[data-tip-through]") ? beneath(event) : asking(target);
    if (found === anchor && found) return clearTimeout(timer);
    if (found) wait(() => found.isConnected && show(found), anchor ? HIDE_AFTER_MS : SHOW_AFTER_MS);
    else if (anchor) wait(hide, HIDE_AFTER_MS);
    else clearTimeout(timer);
  };
  const focus = (event: FocusEvent) => {
    const target = event.target as Element;
    const found = asking(target);
    if (!found || !(touch || target.matches(":focus-visible"))) return;
    show(found);
    // An element with a description of its own keeps it; its tooltip says the same.
    if (target.hasAttribute("aria-describedby")) return;
    described = target;
    target.setAttribute("aria-describedby", tip.id);
  };

  const press = (event: PointerEvent) => {
    touch = event.pointerType === "touch";
    hide();
  };

  const options = { signal: stop.signal, passive: true };
  document.addEventListener("pointermove", over, options);
  document.addEventListener("focusin", focus, options);
  document.addEventListener("focusout", hide, options);
  document.addEventListener("scroll", hide, { ...options, capture: true });
  document.addEventListener("pointerdown", press, { ...options, capture: true });
  document.documentElement.addEventListener("pointerleave", hide, options);
  document.addEventListener(
    "keydown",
    (event) => {
      touch = false;
      if (event.key === "Escape") hide();
    },
    { ...options, capture: true },
  );
  for (const event of missed) {
    if (event.type === "pointermove") over(event as PointerEvent);
    else if (event.type === "pointerdown") press(event as PointerEvent);
    else focus(event as FocusEvent);
  }
  return () => {
    hide();
    stop.abort();
  };
}
