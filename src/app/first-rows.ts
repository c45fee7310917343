/**
 * The first rows of a list, drawn as soon as their response is there: on a slow line a second before the code that draws
 * the list itself. Remembers where the last load of the URL showed them, and draws only those that are still in their
 * place. Plain DOM, because React is not loaded yet.
 */

/** As in `api/mutations/hidden.ts`. Any import would load the file of the app first. */
const LEFT_KEY = "pc.deletions";

/** Enough for a tall window. */
const ROWS = 40;

/** x, y, width and height in CSS px, in the window. */
type Box = readonly [number, number, number, number];

/** The shorthand `font` is empty for digits of equal width. */
const FONT = ["fontFamily", "fontSize", "fontWeight", "fontVariantNumeric", "letterSpacing"] as const;

interface Text {
  readonly box: Box;
  readonly text: string;
  readonly font: Readonly<Partial<Record<(typeof FONT)[number], string>>>;
}

/** Where a list showed its first rows. */
interface RowPlaces {
  /** Width of the window: in any other, everything is somewhere else. */
  readonly window: number;
  readonly header: Box;
  /** Undefined if it is in a drawer, or hidden. */
  readonly navigation?: Box;
  readonly title: Text;
  readonly table: Box;
  /** The row of the column headers. */
  readonly head: Box;
  readonly row: Box;
  /** The name in the first row. Not every kind shows the field `name` there. */
  readonly name: Text;
  /** uid and URL of each row. */
  readonly rows: readonly (readonly [uid: string, href: string])[];
}

function boxOf(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height];
}

function textOf(element: Element): Text {
  const style = getComputedStyle(element);
  const font = Object.fromEntries(FONT.map((name) => [name, style[name]]));
  return { box: boxOf(element), text: element.textContent, font };
}

/** Returns where the list on screen shows its rows; undefined if there is none, or if it is scrolled. */
function note(): RowPlaces | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row-key]")].slice(0, ROWS);
  const links = rows.map((row) => row.querySelector("a"));
  const [row] = rows;
  const [link] = links;
  const table = row?.closest("[role=table]");
  const head = table?.querySelector("[role=row]");
  const [header, title, navigation] = ["header", "h1", 'nav[aria-label="Main"]'].map((name) =>
    document.querySelector(name),
  );
  if (!row || !link || !head || !header || !title || table?.scrollTop !== 0) return undefined;
  return {
    window: innerWidth,
    header: boxOf(header),
    ...(navigation?.parentElement && { navigation: boxOf(navigation.parentElement) }),
    title: textOf(title),
    table: boxOf(table),
    head: boxOf(head),
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
  Object.assign(element.style, { position: "absolute", ...Object.fromEntries(box), ...style });
  parent.append(element);
  return element;
}

/** A box within another one. */
const within = ([x, y, ...size]: Box, [left, top]: Box): Box => [x - left, y - top, ...size];

const BORDER = "1px solid var(--pc-border)";
const BAND = { background: "var(--pc-sunken)", borderBottom: BORDER };
const LINE = { overflow: "hidden", whiteSpace: "nowrap", textOverflow: "ellipsis" };

/**
 * Draws into `root` the rows of a list response that are where `places` has them. Draws nothing if something else is
 * there already, or if the first row is another one. `places` is from the browser's storage, and may be anything.
 */
function draw(root: Element, places: RowPlaces, body: string): void {
  if (root.childElementCount > 0 || places.window !== innerWidth) return;
  const { header, navigation, title, table, head, row, name, rows } = places;
  const items = itemsOf(body);
  // A page that was just left is deleting these.
  const left = sessionStorage.getItem(LEFT_KEY) ?? "";
  const moved = rows.findIndex(
    ([uid], index) => uid !== items[index]?.uid || !items[index]?.name || left.includes(`"${uid}"`),
  );
  const kept = moved < 0 ? rows : rows.slice(0, moved);
  if (kept.length === 0 || items[0]?.name !== name.text) return;

  const main = document.createElement("main");
  main.ariaBusy = "true";
  Object.assign(main.style, { position: "fixed", inset: 0 });
  add(main, "div", header, { borderBottom: BORDER });
  if (navigation) add(main, "div", navigation, { borderRight: BORDER, background: "var(--pc-sunken)" });
  // Its box is a fraction of a pixel narrower than the text.
  const heading = add(main, "h1", title.box, {
    ...title.font,
    ...LINE,
    lineHeight: `${title.box[3]}px`,
    overflow: "visible",
  });
  heading.textContent = title.text;
  // Not a border, which would move what is inside.
  const edge = "inset 0 1px var(--pc-border)";
  const list = add(main, "div", table, { boxShadow: edge, overflow: "hidden" });
  add(list, "div", within(head, table), BAND);
  for (const [index, [uid, href]] of kept.entries()) {
    const [left, top, ...size] = within(row, table);
    const line = add(list, "div", [left, top + index * row[3], ...size], { borderBottom: BORDER });
    line.dataset["rowKey"] = uid;
    const lineHeight = `${name.box[3]}px`;
    const color = { color: "var(--pc-text)", textDecoration: "none" };
    const link = add(line, "a", within(name.box, row), { ...name.font, lineHeight, ...LINE, ...color });
    link.textContent = String(items[index]?.name);
    // Never another origin's, and no script.
    const url = new URL(href, document.baseURI);
    if (url.origin === location.origin) (link as HTMLAnchorElement).href = url.href;
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
    if (focused !== "") root.querySelector<HTMLElement>(`[data-row-key="${CSS.escape(focused)}"] a`)?.focus();
  });
  observer.observe(root, { childList: true });
}

/** Both halves, for `sendEarly()`: note the places of this load, and draw at the next. */
export const firstRows = (root: Element) => ({
  note,
  draw: (places: unknown, body: string) => draw(root, places as RowPlaces, body),
});
