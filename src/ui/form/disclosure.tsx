import type { ReactNode } from "react";

import classes from "./disclosure.module.css";

interface FoldProps {
  title: string;
  /** What is in it, in a word or two, to be read while it is folded. */
  note?: string | undefined;
  /** Unfolded at first. */
  open?: boolean;
  children: ReactNode;
}

/** A part of a long form that folds; an error in it unfolds it. */
export function Disclosure({ title, note, open = false, children }: FoldProps) {
  return (
    <details className={classes["fold"]} open={open}>
      <summary className={classes["summary"]}>
        <span className={classes["title"]}>{title}</span>
        {note ? <span className={classes["note"]}>{note}</span> : null}
      </summary>
      <div className={classes["fields"]}>{children}</div>
    </details>
  );
}
