import { useEffect, useId, useState, type ReactNode } from "react";

import { usePartWaits } from "~/ui/waiting-parts";

import { formatReadme } from "./format-readme";
import { UnformattedReadme, WaitingReadme } from "./readme-states";
import type { Node } from "./readme-tree";
import { ReadmeView } from "./readme-view";

interface FormattedReadmeProps {
  /** Untrusted Markdown. The caller must use a different `key` for different content. */
  readonly content: string;
  /** Origins from which images can load. */
  readonly imageOrigins: readonly string[];
}

/** Renders a readme once it is parsed, or unformatted if parsing takes too long. */
export function FormattedReadme({ content, imageOrigins }: FormattedReadmeProps): ReactNode {
  const prefix = `${useId()}-`;
  const [tree, setTree] = useState<Node | "waiting" | undefined>("waiting");
  useEffect(() => {
    const stop = new AbortController();
    void formatReadme({ content, prefix }, stop.signal).then((parsed) => {
      if (!stop.signal.aborted) setTree(parsed);
    });
    return () => stop.abort();
  }, [content, prefix]);
  usePartWaits(tree === "waiting");
  if (tree === "waiting") return <WaitingReadme />;
  if (!tree) return <UnformattedReadme content={content} />;
  return <ReadmeView tree={tree} prefix={prefix} imageOrigins={imageOrigins} />;
}
