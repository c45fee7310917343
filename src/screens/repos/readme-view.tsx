import { useId, useMemo, useRef, type MouseEvent, type ReactNode } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

import { vetTree, type Node } from "./readme-tree";
import classes from "./readme.module.css";

interface ReadmeViewProps {
  /** Markdown, by anybody. */
  readonly content: string;
  /** Origins whose images are loaded. */
  readonly imageOrigins: readonly string[];
}

const REMARK = [remarkGfm];

/**
 * A readme as it is read. The renderer makes elements, never HTML text: markup in the document is text. What it links to
 * is vetted (`-readme-tree.ts`).
 */
export function ReadmeView({ content, imageOrigins }: ReadmeViewProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const prefix = `${useId()}-`;
  const rehype = useMemo(
    () => [() => (tree: object) => vetTree(tree as Node, { prefix, imageOrigins })],
    [prefix, imageOrigins],
  );
  const options = useMemo(() => ({ clobberPrefix: prefix }), [prefix]);
  // With a <base> in the page a bare "#id" would lead to another page: the focus moves by script.
  const follow = (event: MouseEvent) => {
    const href = (event.target as Element).closest("a")?.getAttribute("href");
    if (!href?.startsWith("#")) return;
    event.preventDefault();
    const named = decode(href.slice(1));
    const wanted = named.startsWith(prefix) ? named : prefix + named;
    const target = [...(box.current?.querySelectorAll<HTMLElement>("[id]") ?? [])].find(
      ({ id }) => id === wanted,
    );
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  };
  return (
    <div ref={box} className={classes["readme"]} onClick={follow}>
      <Markdown remarkPlugins={REMARK} rehypePlugins={rehype} remarkRehypeOptions={options}>
        {content}
      </Markdown>
    </div>
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
