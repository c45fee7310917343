import type { ReactNode } from "react";

import classes from "./scan-line.module.css";

/** Stands behind the rows of a scan that was stopped, so that they do not pass for all there are. */
export function ScanEnd({ children }: { children: ReactNode }) {
  return (
    <div role="cell" className={classes["end"]}>
      The search stopped here. {children}
    </div>
  );
}
