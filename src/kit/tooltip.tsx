import { useEffect, useRef } from "react";

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
    // After the first paint: what comes with it should be what is seen. Without it nothing is missing but a hint.
    void import("./tooltip-behaviour").then(
      ({ installTooltips }) => {
        if (gone.signal.aborted || !ref.current) return;
        gone.signal.addEventListener("abort", installTooltips(ref.current));
      },
      () => undefined,
    );
    return () => gone.abort();
  }, []);
  return <div ref={ref} id="pc-tooltip" role="tooltip" popover="manual" className={classes["tooltip"]} />;
}
