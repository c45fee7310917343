import { useEffect, useRef } from "react";

import { FIRST_SIGNS } from "./first-use";
import classes from "./tooltip.module.css";

/**
 * The one tooltip of the app; mounted once, at its root. Any element asks for it by an attribute, so that a thousand
 * rows carry no tooltip component:
 * - `data-tip="text"`: on hover and on keyboard focus of the element or of a control inside it;
 * - `data-tip-overflow`: the element's own text, only while it is cut off.
 * Meets WCAG 1.4.13: Escape dismisses it, the pointer may enter it, it stays until left. In the top layer, so that it
 * shows over dialogs and is cut off by no scroll container.
 */
export function TooltipHost() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const gone = new AbortController();
    const there = new AbortController();
    const missed: Event[] = [];
    // Nobody sees a hint before a hand reaches the page. What it did until the code is there is made up for.
    const begin = (event: Event) => {
      if (missed.push(event) > 1) return;
      void import("./tooltip-behaviour")
        .then(({ installTooltips }) => {
          if (gone.signal.aborted || !ref.current) return;
          gone.signal.addEventListener("abort", installTooltips(ref.current, missed));
        })
        // Without it nothing is missing but a hint.
        .catch(() => undefined)
        .finally(() => there.abort());
    };
    for (const sign of FIRST_SIGNS)
      document.addEventListener(sign, begin, { signal: there.signal, passive: true, capture: true });
    return () => {
      gone.abort();
      there.abort();
    };
  }, []);
  return <div ref={ref} id="pc-tooltip" role="tooltip" popover="manual" className={classes["tooltip"]} />;
}
