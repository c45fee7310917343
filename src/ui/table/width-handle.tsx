import type { PointerEvent, ReactNode } from "react";

import { setWidth } from "./column-choice";
import classes from "./table.module.css";

interface WidthHandleProps {
  /** Label of the table. */
  readonly list: string;
  /** id of the column. */
  readonly id: string;
}

/**
 * The end of a column's header, to drag; a double click resets the width. For the pointer only: with the keyboard, widths
 * are set where columns are chosen, so that the header gets no further Tab stops.
 */
export function WidthHandle({ list, id }: WidthHandleProps): ReactNode {
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    const { currentTarget: handle, clientX: from, pointerId } = event;
    const heading = handle.parentElement;
    if (!heading || event.button !== 0) return;
    event.preventDefault();
    handle.setPointerCapture(pointerId);
    const before = heading.getBoundingClientRect().width;
    const turned = getComputedStyle(heading).direction === "rtl" ? -1 : 1;
    const move = ({ clientX }: globalThis.PointerEvent) =>
      setWidth(list, id, before + turned * (clientX - from));
    const end = () => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("lostpointercapture", end);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end);
  };
  return (
    <span
      aria-hidden="true"
      className={classes["handle"]}
      onPointerDown={drag}
      onDoubleClick={() => setWidth(list, id, undefined)}
    />
  );
}
