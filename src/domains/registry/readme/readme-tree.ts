import rehypeSanitize, { defaultSchema } from "rehype-sanitize";

import { parseUrl } from "platform-contract/url";
import { parseWebAddress } from "platform-contract/web-address";

/** The part of a document node (hast, the syntax tree of HTML) that is used here. */
export interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

export interface Vetting {
  /** Prefix of this document's ids, so that they cannot collide with those of the page. */
  readonly prefix: string;
  /** Origins whose images are loaded. */
  readonly imageOrigins: readonly string[];
}

interface Vetted extends Vetting {
  /** How often each id has been used. */
  readonly ids: Map<string, number>;
}

/**
 * Sanitizes untrusted content for a page. Links can only go to web pages, to mail addresses, or into the document, and
 * show their target; images of unlisted hosts become links, so that viewing a readme discloses nothing; headings are
 * nested below those of the page. All other properties of links and images are dropped. What the rules below forget, the
 * allow-list of a library drops. Does not modify `tree`.
 */
export const sanitize = (tree: Node, vetting: Vetting): Node =>
  clean(vetChildren(tree, { ...vetting, ids: new Map() }, false) as Parameters<typeof clean>[0]) as Node;

/** What `vetNode` leaves, and no more: a tag or property that is not listed is dropped, whatever made it. */
const clean = rehypeSanitize({
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), "abbr", "mark", "small", "u"].filter(
    (name) => !["input", "picture", "source"].includes(name),
  ),
  // What these contain is no text of the document.
  strip:
    "embed iframe math noembed noframes noscript object script select style svg template textarea title xmp".split(
      " ",
    ),
  attributes: {
    "*": ["id", "tabIndex", "role", "ariaLabel", "ariaDescribedBy", ["align", "left", "center", "right"]],
    a: ["href", "target", "rel", "data-tip", "dataFootnoteRef", "dataFootnoteBackref"],
    code: [["className", /^language-./]],
    details: ["open"],
    h4: [["className", "sr-only"]],
    h2: [["className", "sr-only"]],
    img: ["src", "alt", "loading", "referrerPolicy"],
    li: [["className", "task-list-item"]],
    ol: ["start"],
    section: ["dataFootnotes", ["className", "footnotes"]],
    ul: [["className", "contains-task-list"]],
  },
  // All ids have the prefix of the document.
  clobber: [],
  required: {},
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https"] },
});

const vetChildren = (node: Node, vetted: Vetted, linked: boolean): Node => ({
  ...node,
  children: (node.children ?? []).map((child) => {
    const next = vetNode(inert(child), vetted, linked);
    return vetChildren(next, vetted, linked || next.tagName === "a");
  }),
});

/** Without what HTML could claim: the focus order and roles are for the rules below to give. */
function inert(node: Node): Node {
  if (!node.properties) return node;
  const { tabIndex: _tabIndex, role: _role, ...properties } = node.properties;
  return { ...node, properties };
}

/** Tags that only have another name here. */
const RENAMED: Readonly<Record<string, Partial<Node>>> = {
  center: { tagName: "div", properties: { align: "center" } },
  tt: { tagName: "code", properties: {} },
};

function vetNode(node: Node, vetted: Vetted, linked: boolean): Node {
  const { tagName = "" } = node;
  const { prefix } = vetted;
  const renamed = RENAMED[tagName];
  if (renamed) return { ...node, ...renamed };
  if (tagName === "a") return vetLink(node, vetted);
  if (tagName === "blockquote") return alertIn(node) ?? node;
  if (tagName === "img") return vetImage(node, vetted, linked);
  if (tagName === "input") return box(node);
  if (/^h[1-6]$/.test(tagName)) return heading(node, vetted);
  // An id in HTML must not be one of the page.
  const { id } = node.properties ?? {};
  if (typeof id === "string" && !id.startsWith(prefix))
    return vetNode({ ...node, properties: { ...node.properties, id: `${prefix}${id}` } }, vetted, linked);
  // Wide content scrolls on its own, also by keyboard.
  if (tagName === "pre" || tagName === "table")
    return { ...node, properties: { ...node.properties, tabIndex: 0 } };
  return node;
}

const text = (value: string): Node => ({ type: "text", value });

/** Parses an absolute URL with one of these schemes; undefined for anything else. */
function address(value: unknown, schemes: RegExp): URL | undefined {
  if (typeof value !== "string") return undefined;
  const url = parseUrl(value);
  if (!url || !schemes.test(url.protocol)) return undefined;
  return url.protocol === "mailto:" ? url : parseWebAddress(value, { http: "anywhere" });
}

/** https://docs.github.com/en/get-started/writing-on-github, "Alerts". */
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

/** A quote that begins with `[!WARNING]` is an alert with that title. */
function alertIn(node: Node): Node | undefined {
  const children = node.children ?? [];
  const at = children.findIndex(({ tagName }) => tagName === "p");
  const [first, ...rest] = children[at]?.children ?? [];
  const [mark = "", kind = ""] = ALERT.exec(first?.value ?? "") ?? [];
  if (!first || mark === "") return undefined;
  const words = `${kind[0]?.toUpperCase()}${kind.slice(1).toLowerCase()}`;
  const paragraph = (inside: Node[]): Node => ({
    type: "element",
    tagName: "p",
    properties: {},
    children: inside,
  });
  const said = [text((first.value ?? "").slice(mark.length)), ...rest].filter(({ value }) => value !== "");
  // A line break after the mark belongs to it.
  if (said[0]?.tagName === "br") said.shift();
  return {
    type: "element",
    tagName: "div",
    properties: { role: "note", ariaLabel: words },
    children: [
      paragraph([text(words)]),
      ...(said.length > 0 ? [paragraph(said)] : []),
      ...children.slice(at + 1),
    ],
  };
}

function vetLink(node: Node, { prefix }: Vetted): Node {
  const href = node.properties?.["href"];
  // Footnote links have an id, which the links back refer to.
  const { id, ariaLabel, name } = node.properties ?? {};
  // A target of links, in HTML.
  const anchor = typeof name === "string" ? name : id;
  if (href === undefined && typeof anchor === "string" && anchor !== "")
    return { ...node, tagName: "span", properties: { id: `${prefix}${anchor}`, tabIndex: -1 } };
  if (typeof href === "string" && href.startsWith("#") && href.length > 1)
    return { ...node, properties: { id, href, ariaLabel, ...footnoteOf(node) } };
  const url = address(href, /^(?:https?|mailto):$/);
  // A relative link into the source repository has no target here.
  if (!url) return { ...node, tagName: "span", properties: {} };
  return { ...node, properties: awayTo(url) };
}

/** What marks the links of a footnote. */
const footnoteOf = ({ properties: { dataFootnoteRef, dataFootnoteBackref } = {} }: Node) => ({
  ...(dataFootnoteRef !== undefined && { dataFootnoteRef }),
  ...(dataFootnoteBackref !== undefined && { dataFootnoteBackref }),
});

/** The tooltip shows the target: the text can claim anything. */
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
  // Links cannot be nested.
  if (!url || linked) return { type: "element", tagName: "span", properties: {}, children: [words] };
  return { type: "element", tagName: "a", properties: awayTo(url), children: [words] };
}

/** Renders a task's checkbox as a read-only symbol; other inputs leave no trace. */
const box = ({ properties }: Node): Node => {
  if (properties?.["type"] !== "checkbox") return text("");
  const done = properties?.["checked"] === true;
  return {
    type: "element",
    tagName: "span",
    properties: { role: "img", ariaLabel: done ? "done" : "not done" },
    children: [text(done ? "☑" : "☐")],
  };
};

const wordsOf = ({ value = "", children = [] }: Node): string => value + children.map(wordsOf).join("");

/** The anchor of a heading (GitHub's algorithm, which authors expect). */
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
  // The page already has its name as h1 and "Readme" as h2.
  const level = Math.min(6, Number(node.tagName?.slice(1)) + 2);
  const { align } = node.properties ?? {};
  return {
    ...node,
    tagName: `h${level}`,
    properties: { id, tabIndex: -1, ...(align !== undefined && { align }) },
  };
}
