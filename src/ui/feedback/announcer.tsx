import { useEffect, useState } from "react";

import { VisuallyHidden } from "../layout/visually-hidden";

let say: ((text: string) => void) | undefined;

/** Tells a screen reader, politely, what changed without the focus moving. Nothing is heard before `<Announcer>`. */
export const announce = (text: string): void => say?.(text);

/**
 * The live region behind `announce()`: one at the root of the app, and one inside of whatever keeps a screen reader from
 * everything else, which speaks as long as it is there.
 */
export function Announcer() {
  const [message, setMessage] = useState({ text: "", turn: 0 });
  useEffect(() => {
    const around = say;
    say = (text) => setMessage(({ turn }) => ({ text, turn: turn + 1 }));
    return () => {
      say = around;
    };
  }, []);
  return (
    <div role="status" aria-live="polite" aria-atomic="true">
      {/* A new element each time: the same words twice are two messages. */}
      <VisuallyHidden key={message.turn}>{message.text}</VisuallyHidden>
    </div>
  );
}
