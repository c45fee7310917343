import type { ReactNode } from "react";

import classes from "./code.module.css";
import { CopyButton } from "./copy-button";
import { visible } from "./visible";

interface CodeProps {
  readonly value: string;
  /** What the copy button copies: "digest". */
  readonly what: string;
  readonly oneLine?: boolean;
}

/** Text that the reader compares exactly: monospace, left to right, with a copy button. */
export function Code({ value, what, oneLine = false }: CodeProps): ReactNode {
  const shown = visible(value);
  return (
    <span className={classes["code"]} data-one-line={oneLine || undefined}>
      <code dir="ltr" data-exact={value} data-tip={oneLine ? shown : undefined}>
        {shown}
      </code>
      <CopyButton value={value} what={what} />
    </span>
  );
}
