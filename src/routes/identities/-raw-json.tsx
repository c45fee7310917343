import type { ReactNode } from "react";

import { CopyButton } from "~/kit/copy-button";

import classes from "./identities.module.css";

/** A document to read and to copy. */
export function Document({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  return (
    <div className={classes["document"]}>
      <pre className={classes["json"]} tabIndex={0} aria-label={what} dir="ltr">
        {text}
      </pre>
      <CopyButton value={text} what={what} className={classes["copy"] ?? ""} />
    </div>
  );
}

/** A record as the API gave it, members that this console does not know included; one click away. */
export function RawJson({ value }: { readonly value: object }): ReactNode {
  return (
    <details>
      <summary className={classes["summary"]}>JSON</summary>
      <Document text={JSON.stringify(value, undefined, 2)} what="JSON" />
    </details>
  );
}
