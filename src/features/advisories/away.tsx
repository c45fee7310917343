import type { ReactNode } from "react";

import { visible } from "~/ui/display/visible";

/** Parses an untrusted web address; undefined for anything but http(s), such as other schemes that browsers follow. */
export function webAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

interface AwayProps {
  readonly address: string;
  /** The text of the link; default: its URL. */
  readonly children?: string;
}

/** A link out of the console; anything but an http(s) URL is shown as plain text. */
export function Away({ address, children }: AwayProps): ReactNode {
  const url = webAddress(address);
  if (!url) return <span dir="ltr">{visible(children ?? address)}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer" dir="ltr">
      {visible(children ?? url.href)}
    </a>
  );
}
