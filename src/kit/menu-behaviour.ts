const GAP = 4;
const EDGE = 8;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Under the button, their right edges in line; above it where there is more room, never over the edge of the window. */
export function placeMenu(
  anchor: { readonly right: number; readonly top: number; readonly bottom: number },
  menu: Size,
  view: Size,
): { left: number; top: number } {
  const below = anchor.bottom + GAP;
  const above = anchor.top - GAP - menu.height;
  const fits = below + menu.height <= view.height - EDGE;
  const top = fits || above < EDGE ? Math.min(below, view.height - EDGE - menu.height) : above;
  const left = Math.min(anchor.right - menu.width, view.width - EDGE - menu.width);
  return { left: Math.max(EDGE, left), top: Math.max(EDGE, top) };
}

/**
 * The item that a key leads to from the one that has the focus (ARIA Authoring Practices, "Menu"): arrows go round,
 * Home and End, a letter to the next item that begins with it. Undefined for every other key.
 */
export function stepTo<T extends { readonly textContent: string | null }>(
  items: readonly T[],
  {
    key,
    target,
    ctrlKey,
    altKey,
    metaKey,
  }: Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey"> & {
    readonly target: unknown;
  },
): T | undefined {
  if (ctrlKey || altKey || metaKey) return undefined;
  const at = items.indexOf(target as T);
  if (key === "ArrowDown") return items[(at + 1) % items.length];
  if (key === "ArrowUp") return items.at(at <= 0 ? -1 : at - 1);
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  if (key.length !== 1 || key === " ") return undefined;
  const letter = key.toLocaleLowerCase();
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
    item.textContent?.trim().toLocaleLowerCase().startsWith(letter),
  );
}
