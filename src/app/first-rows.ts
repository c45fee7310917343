/**
 * The first rows of a list, drawn as soon as their response is there: on a slow line a second before the code that draws
 * the list itself. Remembers where the last load of the URL showed them, and draws only those that are still in their
 * place. Plain DOM, because React is not loaded yet.
 */

/** Enough for a tall window. */
const ROWS = 40;

/** x, y, width and height in CSS px, in the window. */
type Box = readonly [number, number, number, number];

interface Text {
  readonly box: Box;
  /** As in CSS. */
  readonly font: string;
}

/** Where a list showed its first rows. */
interface RowPlaces {
  /** Width of the window: in any other, everything is somewhere else. */
  readonly window: number;
  readonly header: Box;
  /** Undefined if it is in a drawer, or hidden. */
  readonly navigation?: Box;
  readonly title: Text & { readonly text: string };
  readonly row: Box;
  /** The name in the first row. Not every kind shows the field `name` there. */
  readonly name: Text & { readonly text: string };
  /** uid and URL of each row. */
  readonly rows: readonly (readonly [uid: string, href: string])[];
}

function boxOf(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height];
}

const textOf = (element: Element) => ({
  box: boxOf(element),
  font: getComputedStyle(element).font,
  text: element.textContent,
});

/** Returns where the list on screen shows its rows; undefined if there is none, or if it is scrolled. */
function note(): RowPlaces | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row-key]")].slice(0, ROWS);
  const links = rows.map((row) => row.querySelector("a"));
  const [row] = rows;
  const [link] = links;
  const [header, title, navigation] = ["header", "h1", "nav"].map((name) => document.querySelector(name));
  if (!row || !link || !header || !title || row.closest("[role=table]")?.scrollTop !== 0) return undefined;
  return {
    window: innerWidth,
    header: boxOf(header),
    ...(navigation?.parentElement && { navigation: boxOf(navigation.parentElement) }),
    title: textOf(title),
    row: boxOf(row),
    name: textOf(link),
    rows: rows.map((each, index) => [each.dataset["rowKey"] ?? "", links[index]?.getAttribute("href") ?? ""]),
  };
}

interface Item {
  readonly uid?: unknown;
  readonly name?: unknown;
}

/** The records of a list response. */
function itemsOf(body: string): readonly Item[] {
  const parsed: unknown = JSON.parse(body);
  const lists = Object.values(parsed ?? {}).filter((value) => Array.isArray(value));
  return (lists[0] ?? []) as Item[];
}

/** Adds an element to `parent`, in its place. Styles are set here: a style sheet would be another request to wait for. */
function add(
  parent: Element,
  name: string,
  [left, top, width, height]: Box,
  style: Partial<CSSStyleDeclaration>,
): HTMLElement {
  const element = document.createElement(name);
  const box = Object.entries({ left, top, width, height }).map(([side, value]) => [side, `${value}px`]);
  Object.assign(element.style, {
    position: "fixed",
    overflow: "hidden",
    ...Object.fromEntries(box),
    ...style,
  });
  parent.append(element);
  return element;
}

const BORDER = "1px solid var(--pc-border)";

function write(parent: Element, name: string, { box, font }: Text, text: string): HTMLElement {
  const element = add(parent, name, box, {
    font,
    lineHeight: `${box[3]}px`,
    whiteSpace: "nowrap",
    textOverflow: "ellipsis",
    color: "var(--pc-text)",
    textDecoration: "none",
  });
  element.textContent = text;
  return element;
}

/**
 * Draws into `root` the rows of a list response that are where `places` has them. Draws nothing if something else is
 * there already, or if the first row is another one. `places` is from the browser's storage, and may be anything.
 */
function draw(root: Element, places: RowPlaces, body: string): void {
  if (root.childElementCount > 0 || places.window !== innerWidth) return;
  const { header, navigation, title, row, name, rows } = places;
  const items = itemsOf(body);
  const moved = rows.findIndex(([uid], index) => uid !== items[index]?.uid || !items[index]?.name);
  const kept = moved < 0 ? rows : rows.slice(0, moved);
  if (kept.length === 0 || items[0]?.name !== name.text) return;

  const main = document.createElement("main");
  main.ariaBusy = "true";
  add(main, "div", header, { borderBottom: BORDER });
  if (navigation) add(main, "div", navigation, { borderRight: BORDER, background: "var(--pc-sunken)" });
  write(main, "h1", title, title.text);
  const [x, y, width, height] = row;
  const [left, top, ...size] = name.box;
  for (const [index, [uid, href]] of kept.entries()) {
    const below = index * height;
    const line = add(main, "div", [x, y + below, width, height], { borderBottom: BORDER });
    line.dataset["rowKey"] = uid;
    const box = [left, top + below, ...size] as const;
    const link = write(line, "a", { ...name, box }, String(items[index]?.name)) as HTMLAnchorElement;
    // Never another origin's, and no script.
    const url = new URL(href, document.baseURI);
    if (url.origin === location.origin) link.href = url.href;
  }
  root.append(main);
  keepFocus(root, main);
}

/** Gives the focus to the same row of the list that replaces these. */
function keepFocus(root: Element, main: Element): void {
  let focused = "";
  main.addEventListener("focusin", ({ target }) => {
    focused = (target as Element).closest<HTMLElement>("[data-row-key]")?.dataset["rowKey"] ?? "";
  });
  const observer = new MutationObserver(() => {
    observer.disconnect();
    if (focused !== "")
      root.querySelector<HTMLElement>(`[data-row-key="${CSS.escape(focused)}"] a`)?.focus();
  });
  observer.observe(root, { childList: true });
}

/** Both halves, for `sendEarly()`: note the places of this load, and draw at the next. */
export const firstRows = (root: Element) => ({
  note,
  draw: (places: unknown, body: string) => draw(root, places as RowPlaces, body),
});
