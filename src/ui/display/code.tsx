import type { ReactNode } from "react";

import classes from "./code.module.css";
import { CopyButton } from "./copy-button";
import { visible } from "./visible";

/** Text that is compared exactly: monospace, left to right, with a button that copies it. */
export function Code({ value, what }: { readonly value: string; readonly what: string }): ReactNode {
  return (
    <span className={classes["code"]}>
      <code dir="ltr">{visible(value)}</code>
      <CopyButton value={value} what={what} />
    </span>
  );
}
