import { useLayoutEffect, useState } from "react";

import { VisuallyHidden } from "../layout/visually-hidden";

/** What says a text in each region that is mounted, the newest last. */
const regions: ((text: string) => void)[] = [];

/** Announces a change to screen readers, politely, without moving the focus. Silent until `<Announcer>` is mounted. */
export const announce = (text: string): void => regions.at(-1)?.(text);

/**
 * The live region behind `announce()`: one at the root of the app, and one in each modal that hides the rest of the
 * page from screen readers, which takes over while it is mounted.
 */
export function Announcer() {
  const [message, setMessage] = useState({ text: "", turn: 0 });
  // Before any effect of the same render announces something.
  useLayoutEffect(() => {
    const say = (text: string): void => setMessage(({ turn }) => ({ text, turn: turn + 1 }));
    regions.push(say);
    return () => void regions.splice(regions.indexOf(say), 1);
  }, []);
  return (
    <div role="status" aria-live="polite" aria-atomic="true">
      {/* A new element each time, so that a repeated text is announced again. */}
      <VisuallyHidden key={message.turn}>{message.text}</VisuallyHidden>
    </div>
  );
}
