import type { ReactNode } from "react";

import classes from "./code.module.css";
import { CopyButton } from "./copy-button";

interface CodeProps {
  readonly value: string;
  /** What the copy button copies: "digest". */
  readonly what: string;
  readonly oneLine?: boolean;
}

/** Text that is compared letter by letter: monospace, left to right, and with a way to copy it. */
export function Code({ value, what, oneLine = false }: CodeProps): ReactNode {
  return (
    <span className={classes["code"]} data-one-line={oneLine || undefined}>
      <code dir="ltr" data-tip={oneLine ? value : undefined}>
        {value}
      </code>
      <CopyButton value={value} what={what} />
    </span>
  );
}
