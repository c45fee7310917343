import { useEffect, useId, useState, type ReactNode } from "react";

import { formatReadme } from "~/features/readme/format-readme";
import { UnformattedReadme, WaitingReadme } from "./readme-states";
import type { Node } from "~/features/readme/readme-tree";
import { ReadmeView } from "~/features/readme/readme-view";

interface FormattedReadmeProps {
  /** Markdown, by anybody. Another readme needs another `key`. */
  readonly content: string;
  /** Origins whose images are loaded. */
  readonly imageOrigins: readonly string[];
}

/** A readme as it is read, once it is parsed; as it was written when that cannot be done in time. */
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
  if (tree === "waiting") return <WaitingReadme />;
  if (!tree) return <UnformattedReadme content={content} />;
  return <ReadmeView tree={tree} prefix={prefix} imageOrigins={imageOrigins} />;
}
