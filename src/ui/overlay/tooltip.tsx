import { useCallback, useEffect, useRef } from "react";

import { FIRST_SIGNS, onFirstUse } from "../on-first-interaction";

const TooltipLayer = onFirstUse(async () => (await import("./tooltip-layer")).TooltipLayer);

/**
 * The one tooltip of the app; mounted once, at its root. Any element asks for it by an attribute, so that a thousand
 * rows carry no tooltip component:
 * - `data-tip="text"`: on hover and on keyboard focus of the element or of a control inside it;
 * - `data-tip-overflow`: the element's own text, only while it is cut off.
 * Meets WCAG 1.4.13: Escape dismisses it, the pointer may enter it, it stays until left.
 */
export function TooltipHost() {
  const missed = useRef<Event[]>([]);
  const listening = useRef<AbortController>(undefined);
  // What a hand did until the code is there is made up for.
  useEffect(() => {
    const stop = (listening.current = new AbortController());
    const note = (event: Event) => void missed.current.push(event);
    for (const sign of FIRST_SIGNS)
      document.addEventListener(sign, note, { signal: stop.signal, passive: true, capture: true });
    return () => stop.abort();
  }, []);
  const takeMissed = useCallback(() => {
    listening.current?.abort();
    return missed.current.splice(0);
  }, []);
  return <TooltipLayer takeMissed={takeMissed} />;
}
