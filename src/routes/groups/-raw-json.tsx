import type { ReactNode } from "react";

import { CopyButton } from "~/kit/copy-button";

import classes from "./groups.module.css";

/** A record as the API gave it, fields that this console does not know included. */
export function RawJson({ value }: { readonly value: object }): ReactNode {
  const text = JSON.stringify(value, undefined, 2);
  return (
    <details className={classes["raw"]}>
      <summary>JSON</summary>
      <div className={classes["json"]}>
        <pre tabIndex={0} aria-label="JSON">
          {text}
        </pre>
        <CopyButton value={text} what="JSON" className={classes["copy"] ?? ""} />
      </div>
    </details>
  );
}
