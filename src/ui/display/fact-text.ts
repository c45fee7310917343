/** On parts of a value that only help to read it: a copy leaves them out. */
const ASIDE = "button, svg, summary, [aria-hidden=true], [data-aside], .pc-visually-hidden";
const BLOCKS = "div, dd, li, p, pre, tr, details";

/** The text of a shown value, as one would write it: whole where it is shortened, times as in the API, lines as lines. */
export function factText(element: Element): string {
  return textOf(element)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
}

function textOf(node: Node): string {
  if (!(node instanceof Element)) return node.textContent?.replaceAll(/\s+/g, " ") ?? "";
  if (node.matches(ASIDE)) return "";
  const exact =
    node.getAttribute("data-exact") ?? (node.matches("time") ? node.getAttribute("datetime") : null);
  if (exact !== null) return exact;
  const text = [...node.childNodes].map(textOf).join("");
  return node.matches(BLOCKS) ? `\n${text}\n` : text;
}
