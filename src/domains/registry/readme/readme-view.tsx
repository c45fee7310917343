import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { useMemo, useRef, type MouseEvent, type ReactNode } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";

import { sanitize, type Node } from "./readme-tree";
import classes from "./readme.module.css";

interface ReadmeViewProps {
  /** The parser's output for untrusted content. */
  readonly tree: Node;
  /** Prefix of this document's ids. */
  readonly prefix: string;
  /** Origins whose images are loaded. */
  readonly imageOrigins: readonly string[];
}

/** A rendered readme: built of elements, never of HTML text, from a sanitized tree (`readme-tree.ts`). */
export function ReadmeView({ tree, prefix, imageOrigins }: ReadmeViewProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => {
    const vetted = sanitize(tree, { prefix, imageOrigins });
    return toJsxRuntime(vetted as Parameters<typeof toJsxRuntime>[0], {
      Fragment,
      jsx,
      jsxs,
      ignoreInvalidStyle: true,
    });
  }, [tree, prefix, imageOrigins]);
  // With a <base> in the page, a bare "#id" would navigate to another page: move the focus by script.
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
      {shown}
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
