import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

import type { Node } from "./readme-tree";

/** Maximum a page can render: a table can have more cells than its document has characters. */
const NODES = 20_000;
/** Browsers render elements recursively. */
const DEPTH = 100;

const html = unified().use(rehypeRaw).freeze();

/**
 * Parses a document (Markdown with GitHub's tables, tasks, and footnotes, and HTML as browsers read it) to a tree.
 * Undefined if it is too large or too deep to render. `prefix` is for the ids of footnotes. Can take minutes.
 */
export function parseReadme(content: string, prefix: string): Node | undefined {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: prefix });
  const tree = processor.runSync(processor.parse(content)) as Node;
  // Limited twice: before the slower parser of HTML, and because that adds nodes.
  const limited = copy(tree, { left: NODES }, 0);
  return (
    limited && copy(html.runSync(limited as Parameters<typeof html.runSync>[0]) as Node, { left: NODES }, 0)
  );
}

/** Drops what only tools need, such as source positions. */
function copy(node: Node, budget: { left: number }, depth: number): Node | undefined {
  budget.left -= 1;
  if (budget.left < 0 || depth > DEPTH) return undefined;
  const { type, tagName, value, properties, children } = node;
  const copies: Node[] = [];
  for (const child of children ?? []) {
    const copied = copy(child, budget, depth + 1);
    if (!copied) return undefined;
    copies.push(copied);
  }
  return {
    type,
    ...(tagName !== undefined && { tagName }),
    ...(value !== undefined && { value }),
    ...(properties && { properties }),
    ...(children && { children: copies }),
  };
}
