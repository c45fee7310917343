import type { Node } from "./readme-tree";

/** HTML in Markdown that authors use and that is safe; other tags are dropped, and what they contain stays. */
const TAGS = new Set([
  ..."a abbr b blockquote br center code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark".split(
    " ",
  ),
  ..."ol p pre q s samp small span strong sub summary sup table tbody td th thead tr tt u ul var".split(" "),
]);
const VOID = new Set(["br", "hr", "img"]);
/** Tags that are dropped with what they contain. */
const DROPPED = new Set([
  "script",
  "style",
  "iframe",
  "object",
  "embed",
  "template",
  "noscript",
  "svg",
  "math",
  "title",
  "textarea",
  "select",
]);
/** Tags of GitHub's that only have another name here. */
const RENAMED: Readonly<Record<string, string>> = { center: "div", tt: "code" };
const ATTRIBUTES = new Set(["align", "alt", "href", "id", "name", "open", "src"]);

/** A comment, a declaration, a tag, or text; an unfinished comment or tag ends with the text. */
const TOKEN = /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>?|<\/?[a-z][\w:-]*(?:"[^"]*"|'[^']*'|[^>])*(?:>|$)|[^<]+|</gi;
const TAG = /^<(\/?)([a-z][\w:-]*)/i;
const ATTRIBUTE = /\s([a-z][\w:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
};

/** Entities as characters; those that are not known stay as they are. */
const decode = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, number, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = number === undefined ? Number.parseInt(String(hex), 16) : Number(number);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });

function propertiesOf(tag: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [, name = "", ...values] of tag.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (ATTRIBUTES.has(key))
      found[key] = key === "open" ? true : decode(values.find((one) => one !== undefined) ?? "");
  }
  return found;
}

const isRaw = (node: Node): boolean => node.type === "raw";

/** Replaces the HTML in a tree by elements: of one parent, tags enclose what is between them. */
export function withHtml(node: Node): Node {
  const { children } = node;
  if (!children) return node;
  if (!children.some(isRaw)) return { ...node, children: children.map(withHtml) };
  const root: Node = { type: "root", children: [] };
  const open: Node[] = [root];
  const add = (child: Node) => open.at(-1)?.children?.push(child);
  // Tags whose contents are dropped too, until they end.
  let dropping: string | undefined;
  for (const child of children) {
    if (!isRaw(child)) {
      if (dropping === undefined) add(withHtml(child));
      continue;
    }
    for (const [token] of (child.value ?? "").matchAll(TOKEN)) {
      const [isTag, end, name = ""] = TAG.exec(token) ?? [];
      const tagName = name.toLowerCase();
      if (isTag === undefined) {
        if (dropping === undefined && !/^<[!?]/.test(token)) add({ type: "text", value: decode(token) });
      } else if (dropping !== undefined) {
        if (end !== "" && tagName === dropping) dropping = undefined;
      } else if (DROPPED.has(tagName)) {
        if (end === "" && !token.endsWith("/>")) dropping = tagName;
      } else if (TAGS.has(tagName)) {
        const own = RENAMED[tagName] ?? tagName;
        const at = open.findLastIndex((one) => one.tagName === own);
        if (end !== "") {
          if (at > 0) open.length = at;
        } else {
          const element: Node = {
            type: "element",
            tagName: own,
            properties: propertiesOf(token),
            children: [],
          };
          if (tagName === "center") element.properties = { align: "center" };
          add(element);
          if (!VOID.has(own)) open.push(element);
        }
      }
    }
  }
  return { ...node, children: root.children ?? [] };
}
