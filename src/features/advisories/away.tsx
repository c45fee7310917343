import type { ReactNode } from "react";

import { visible } from "~/ui/display/visible";

/** Parses an untrusted web address; undefined for anything but http(s), such as other schemes that browsers follow. */
export function webAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

/** A link out of the console whose text is its URL; anything but an http(s) URL is shown as plain text. */
export function Away({ address }: { readonly address: string }): ReactNode {
  const url = webAddress(address);
  if (!url) return <span dir="ltr">{visible(address)}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer" dir="ltr">
      {visible(url.href)}
    </a>
  );
}
