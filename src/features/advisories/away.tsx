import type { ReactNode } from "react";

import { visible } from "~/ui/display/visible";

/** An address of the web that somebody else wrote; undefined for whatever else a browser would follow. */
export function webAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

/** A link out of the console. It says where it leads; what is no address of the web is text. */
export function Away({ address }: { readonly address: string }): ReactNode {
  const url = webAddress(address);
  if (!url) return <span dir="ltr">{visible(address)}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer" dir="ltr">
      {visible(url.href)}
    </a>
  );
}
