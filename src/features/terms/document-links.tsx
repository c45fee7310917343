import { ExternalLinkIcon } from "lucide-react";
import type { ReactNode } from "react";

import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import classes from "./terms.module.css";

interface DocumentLinkProps {
  readonly url: string | undefined;
  readonly children: ReactNode;
}

/** The text of a document, elsewhere. Anything but https is no link: who writes it is not who reads it. */
export function DocumentLink({ url = "", children }: DocumentLinkProps): ReactNode {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") return <bdi>{children}</bdi>;
  return (
    <a href={url} target="_blank" rel="noreferrer" className={classes["link"]}>
      <bdi>{children}</bdi>
      <ExternalLinkIcon size={14} aria-hidden="true" />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </a>
  );
}
