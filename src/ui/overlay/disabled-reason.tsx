import { cloneElement, useId, type MouseEvent, type ReactElement } from "react";

import classes from "./disabled-reason.module.css";
import { VisuallyHidden } from "../layout/visually-hidden";

interface ControlProps {
  onClick?: ((event: MouseEvent<HTMLElement>) => void) | undefined;
  "aria-disabled"?: boolean | undefined;
  "aria-describedby"?: string | undefined;
  "data-disabled"?: boolean | undefined;
}

interface DisabledReasonProps {
  /** Why the control is disabled; undefined if it is enabled, and rendered as is. */
  reason: string | undefined;
  /** One button or link. */
  children: ReactElement<ControlProps>;
}

/**
 * Disables a control without hiding it or removing it from the tab order: it stays focusable, does nothing,
 * and says why on hover, on focus, and to a screen reader.
 */
export function DisabledReason({ reason, children }: DisabledReasonProps) {
  const id = useId();
  const refuse = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
  };
  // Always renders the wrapper, so that a change of the reason does not remount the control.
  return (
    <span className={classes["wrap"]} data-tip={reason}>
      {reason === undefined
        ? children
        : cloneElement(children, {
            onClick: refuse,
            "aria-disabled": true,
            "aria-describedby": id,
            "data-disabled": true,
          })}
      {reason === undefined ? null : <VisuallyHidden id={id}>{reason}</VisuallyHidden>}
    </span>
  );
}
