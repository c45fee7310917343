import type { ReactNode } from "react";

import classes from "./beside.module.css";

interface BesideProps {
  /** To the right in a wide window, otherwise below. */
  readonly side: ReactNode;
  readonly children: ReactNode;
}

/** What a record is, and beside it what became of it. */
export const Beside = ({ side, children }: BesideProps): ReactNode => (
  <div className={classes["room"]}>
    <div className={classes["beside"]}>
      <div className={classes["column"]}>{children}</div>
      <div className={classes["column"]}>{side}</div>
    </div>
  </div>
);
