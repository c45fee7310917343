/** As much of a node of the document (hast, the syntax tree of HTML) as is looked at here. */
export interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

export interface Vetting {
  /** In front of the ids of this document, so that they cannot be those of the page. */
  readonly prefix: string;
  /** Origins whose images are loaded. */
  readonly imageOrigins: readonly string[];
}

interface Vetted extends Vetting {
  /** How often each id was given. */
  readonly ids: Map<string, number>;
}

/**
 * What a person wrote, made fit for a page: links lead to other places of the web, to a mailbox or into the document,
 * and say where; images of hosts that nobody allowed are links, so that looking at a readme tells nobody anything;
 * headings go below those of the page; markup is text. Everything that a link or an image can hold besides is left out.
 * The tree itself stays as it is.
 */
export const sanitize = (tree: Node, vetting: Vetting): Node =>
  vetChildren(tree, { ...vetting, ids: new Map() }, false);

const vetChildren = (node: Node, vetted: Vetted, linked: boolean): Node => ({
  ...node,
  children: (node.children ?? []).map((child) => {
    const next = vetNode(child, vetted, linked);
    return vetChildren(next, vetted, linked || next.tagName === "a");
  }),
});

function vetNode(node: Node, vetted: Vetted, linked: boolean): Node {
  const { tagName = "" } = node;
  if (node.type === "raw") return text(node.value ?? "");
  if (tagName === "a") return vetLink(node);
  if (tagName === "img") return vetImage(node, vetted, linked);
  if (tagName === "input") return box(node);
  if (/^h[1-6]$/.test(tagName)) return heading(node, vetted);
  // What may be wider than the page scrolls by itself, also by keyboard.
  if (tagName === "pre" || tagName === "table")
    return { ...node, properties: { ...node.properties, tabIndex: 0 } };
  return node;
}

const text = (value: string): Node => ({ type: "text", value });

/** An absolute address with one of these schemes; undefined for any other text. */
function address(value: unknown, schemes: RegExp): URL | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return schemes.test(url.protocol) ? url : undefined;
}

function vetLink(node: Node): Node {
  const href = node.properties?.["href"];
  // Of notes at the foot these come with an id, to be found again.
  const { id, ariaLabel } = node.properties ?? {};
  if (typeof href === "string" && href.startsWith("#") && href.length > 1)
    return { ...node, properties: { id, href, ariaLabel } };
  const url = address(href, /^(?:https?|mailto):$/);
  // A link into the files of its source leads nowhere from here.
  if (!url) return { ...node, tagName: "span", properties: {} };
  return { ...node, properties: awayTo(url) };
}

/** Where it leads is said before it is followed: its text may claim anything. */
const awayTo = ({ href }: URL): Record<string, unknown> => ({
  href,
  target: "_blank",
  rel: "noopener noreferrer",
  "data-tip": href,
});

function vetImage(node: Node, { imageOrigins }: Vetted, linked: boolean): Node {
  const { src, alt } = node.properties ?? {};
  const said = typeof alt === "string" ? alt.trim() : "";
  const url = address(src, /^https?:$/);
  if (url && imageOrigins.includes(url.origin))
    return {
      type: "element",
      tagName: "img",
      properties: { src: url.href, alt: said, loading: "lazy", referrerPolicy: "no-referrer" },
    };
  const words = text(said || (url ? url.href : "image"));
  // A link in a link is none.
  if (!url || linked) return { type: "element", tagName: "span", properties: {}, children: [words] };
  return { type: "element", tagName: "a", properties: awayTo(url), children: [words] };
}

/** A task's box says how it stands: it is not one to be ticked. */
const box = ({ properties }: Node): Node => {
  const done = properties?.["checked"] === true;
  return {
    type: "element",
    tagName: "span",
    properties: { role: "img", ariaLabel: done ? "done" : "not done" },
    children: [text(done ? "☑" : "☐")],
  };
};

const wordsOf = ({ value = "", children = [] }: Node): string => value + children.map(wordsOf).join("");

/** What a link into the document calls a heading (GitHub's way, which writers expect). */
const slugOf = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

function heading(node: Node, { prefix, ids }: Vetted): Node {
  const slug = slugOf(wordsOf(node));
  const before = ids.get(slug) ?? 0;
  ids.set(slug, before + 1);
  const id = `${prefix}${before === 0 ? slug : `${slug}-${before}`}`;
  // The page has its name as the first heading and "Readme" as a second.
  const level = Math.min(6, Number(node.tagName?.slice(1)) + 2);
  return { ...node, tagName: `h${level}`, properties: { id, tabIndex: -1 } };
}
