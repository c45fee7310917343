import type { ReactNode } from "react";

import classes from "./kind.module.css";

interface KindProps {
  /** An icon at 14 px. */
  readonly icon: ReactNode;
  readonly children: ReactNode;
}

/** What kind of record a row is: an icon and a word. On the record's own page it is a quiet `<Badge>`. */
export const Kind = ({ icon, children }: KindProps): ReactNode => (
  <span className={classes["kind"]}>
    {icon}
    {children}
  </span>
);
