import { useCallback, useLayoutEffect, useRef } from "react";

import { FIRST_SIGNS, onFirstUse } from "../on-first-interaction";
import { loadLayers } from "./load-layers";

const TooltipLayer = onFirstUse(async () => (await loadLayers()).TooltipLayer);

/**
 * The one tooltip of the app; mounted once, at its root. Any element requests it with an attribute, so that a thousand
 * rows need no tooltip components:
 * - `data-tip="text"`: on hover and on keyboard focus of the element or of a control inside it;
 * - `data-tip-overflow`: the element's own text, only while it is cut off.
 * Meets WCAG 1.4.13: Escape dismisses it, the pointer can enter it, and it stays until the pointer leaves.
 */
export function TooltipHost() {
  const missed = useRef<Event[]>([]);
  const listening = useRef<AbortController>(undefined);
  // Records input events until the code is loaded, to replay them.
  useLayoutEffect(() => {
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
