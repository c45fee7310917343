import { ExternalLinkIcon } from "lucide-react";
import type { ReactNode } from "react";

import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import classes from "./terms.module.css";

interface DocumentLinkProps {
  readonly url: string | undefined;
  readonly children: ReactNode;
}

/** A link to a document's external text. Anything but https is shown as plain text, since the URL is untrusted. */
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
