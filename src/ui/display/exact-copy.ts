import { useLayoutEffect } from "react";

/** On an element that shows a value shortened or with its invisible characters spelled out: the value itself. */
const EXACT = "data-exact";

/** Text of the part of `element` that is selected. */
function selectedIn(element: Element, selected: Range): string {
  const part = selected.cloneRange();
  const own = document.createRange();
  own.selectNodeContents(element);
  if (part.compareBoundaryPoints(Range.START_TO_START, own) < 0) part.setStart(element, 0);
  if (part.compareBoundaryPoints(Range.END_TO_END, own) > 0) part.setEnd(element, element.childNodes.length);
  return part.toString();
}

/**
 * The selected text with every value that is selected as a whole as it is, not as it is shown; undefined if the selection
 * has none of them.
 */
export function exactText(selection: Selection): string | undefined {
  if (selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const selected = selection.getRangeAt(0);
  const { commonAncestorContainer: common } = selected;
  const root = common instanceof Element ? common : common.parentElement;
  const around = root?.closest(`[${EXACT}]`);
  const elements = around ? [around] : [...(root?.querySelectorAll(`[${EXACT}]`) ?? [])];
  const whole = elements.filter(
    (element) => selected.intersectsNode(element) && selectedIn(element, selected) === element.textContent,
  );
  if (whole.length === 0) return undefined;
  const text = selection.toString();
  let exact = "";
  let from = 0;
  for (const element of whole) {
    const shown = element.textContent ?? "";
    const at = text.indexOf(shown, from);
    if (at < 0) continue;
    exact += text.slice(from, at) + (element.getAttribute(EXACT) ?? "");
    from = at + shown.length;
  }
  // A triple click also selects the line break behind the value.
  return whole.length === 1 && text.trim() === whole[0]?.textContent ? exact : exact + text.slice(from);
}

/** Makes copied values exact, on the whole page. */
export function ExactCopies(): null {
  useLayoutEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      // A field copies its own text.
      const selection =
        event.target instanceof Element && event.target.closest("input, textarea") ? null : getSelection();
      const text = selection && exactText(selection);
      if (text === null || text === undefined || !event.clipboardData) return;
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
    };
    document.addEventListener("copy", onCopy);
    return () => document.removeEventListener("copy", onCopy);
  }, []);
  return null;
}
