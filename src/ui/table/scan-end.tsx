import type { ReactNode } from "react";

import classes from "./scan-line.module.css";

/** Follows the rows of a stopped scan, so that they do not look complete. */
export function ScanEnd({ children }: { children: ReactNode }) {
  return (
    <div role="cell" className={classes["end"]}>
      The search stopped here. {children}
    </div>
  );
}
