import classes from "./dash.module.css";
import { VisuallyHidden } from "../layout/visually-hidden";

/** A missing value: a dash on screen, a word for screen readers. */
export function Dash({ label = "none" }: { label?: string }) {
  return (
    <span className={classes["dash"]}>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
