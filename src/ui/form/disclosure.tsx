import type { ReactNode } from "react";

import classes from "./disclosure.module.css";

interface FoldProps {
  title: string;
  /** Its contents in a word or two, for when it is folded. */
  note?: string | undefined;
  /** Initially open. */
  open?: boolean;
  children: ReactNode;
}

/** A collapsible part of a long form; an error in it opens it. */
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
