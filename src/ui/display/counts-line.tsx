import type { ReactNode } from "react";

import classes from "./counts.module.css";

interface CountsLineProps {
  /** What the counts are of. */
  readonly label: string;
  /** True until all are known: a line that fills up word by word can't be read. */
  readonly busy: boolean;
  /** List items. */
  readonly children: ReactNode;
}

/** Counts in one quiet line, such as "12 repos · 3 folders". */
export const CountsLine = ({ label, busy, children }: CountsLineProps): ReactNode => (
  <ul className={classes["counts"]} aria-label={label} aria-busy={busy}>
    {busy ? null : children}
  </ul>
);
