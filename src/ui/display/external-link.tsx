import { ExternalLinkIcon } from "lucide-react";
import type { ReactNode } from "react";

import { parseWebAddress } from "platform-contract/web-address";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import classes from "./external-link.module.css";
import { visible } from "./visible";

interface ExternalLinkProps {
  readonly address: string | undefined;
  /** What it leads to; the address itself if omitted. */
  readonly children?: ReactNode;
}

/**
 * A link out of the console to an untrusted address, whose host can always be seen: a label can claim anything. An
 * address that browsers would read in another way is text.
 */
export function ExternalLink({ address = "", children }: ExternalLinkProps): ReactNode {
  const url = parseWebAddress(address, { http: "anywhere" });
  const label =
    children === undefined ? undefined : (
      <bdi>{typeof children === "string" ? visible(children) : children}</bdi>
    );
  if (!url) return label ?? <span dir="ltr">{visible(address)}</span>;
  return (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer"
        referrerPolicy="no-referrer"
        className={classes["link"]}
      >
        {label ?? <span dir="ltr">{visible(url.href)}</span>}
        <ExternalLinkIcon size={14} aria-hidden="true" />
        <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
      </a>
      {label ? (
        <>
          {" "}
          <span dir="ltr" className={classes["host"]}>
            {visible(url.host)}
          </span>
        </>
      ) : null}
    </>
  );
}
