import { use, useLayoutEffect } from "react";

import { VisuallyHidden } from "../layout/visually-hidden";
import classes from "./dash.module.css";
import { OwnCopy } from "./own-copy";

/** A missing value: a dash on screen, a word for screen readers. */
export function Dash({ label = "none" }: { label?: string }) {
  const register = use(OwnCopy);
  // There is nothing to copy.
  useLayoutEffect(() => register?.(), [register]);
  return (
    <span className={classes["dash"]}>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
