import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

import type { Node } from "./readme-tree";

/** What a page can draw at once: a table may have more cells than its document has letters. */
const NODES = 20_000;
/** A browser draws elements by recursion. */
const DEPTH = 100;

/**
 * The tree of a document (Markdown with GitHub's tables, tasks and notes), its markup as nodes of the type "raw"; undefined
 * when it is too large or too deep to be drawn. `prefix` goes in front of the ids of notes. May take minutes.
 */
export function parseReadme(content: string, prefix: string): Node | undefined {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: prefix });
  return copy(processor.runSync(processor.parse(content)) as Node, { left: NODES }, 0);
}

/** Without what only tools need, such as the place of each node in the text. */
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
