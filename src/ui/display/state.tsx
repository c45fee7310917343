import type { ReactNode } from "react";

import classes from "./state.module.css";

interface StateProps {
  /** `success`: works; `warning`, `danger`: asks for something; `neutral`: rests; `none`: has not begun. */
  readonly tone: "success" | "warning" | "danger" | "neutral" | "none";
  readonly children: ReactNode;
}

/** The state of a row: a dot and a word. One exception among many rows is a `<Badge>`, so that it stands out. */
export const State = ({ tone, children }: StateProps): ReactNode => (
  <span className={classes["state"]} data-tone={tone}>
    {children}
  </span>
);
