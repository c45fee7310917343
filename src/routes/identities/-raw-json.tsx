import type { ReactNode } from "react";

import { CopyButton } from "~/kit/copy-button";

import classes from "./identities.module.css";

/** What the service answered, one click away. */
export function RawJson({ value }: { readonly value: unknown }): ReactNode {
  const text = JSON.stringify(value, undefined, 2);
  return (
    <details className={classes["raw"]}>
      <summary>JSON</summary>
      <div className={classes["rawBox"]}>
        <pre className={classes["json"]} tabIndex={0} aria-label="JSON" dir="ltr">
          {text}
        </pre>
        <CopyButton value={text} what="JSON" className={classes["rawCopy"] ?? ""} />
      </div>
    </details>
  );
}
