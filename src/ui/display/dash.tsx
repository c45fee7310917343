import classes from "./dash.module.css";
import { VisuallyHidden } from "../layout/visually-hidden";

/** What stands where there is no value: a dash to see, a word to hear. */
export function Dash({ label = "none" }: { label?: string }) {
  return (
    <span className={classes["dash"]}>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
