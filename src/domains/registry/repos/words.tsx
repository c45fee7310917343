import type { ReactNode } from "react";

import { Dash } from "~/ui/display/dash";

import classes from "./styles.module.css";

/** Short texts of one kind, visually separated. */
export function Words({ of }: { readonly of: readonly string[] | undefined }): ReactNode {
  if (!of || of.length === 0) return <Dash />;
  return (
    <ul className={classes["words"]}>
      {of.map((word, index) => (
        <li key={index}>
          <code dir="auto">{word}</code>
        </li>
      ))}
    </ul>
  );
}
