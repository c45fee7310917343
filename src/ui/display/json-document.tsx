import type { ReactNode } from "react";

import { CopyButton } from "./copy-button";
import classes from "./json-document.module.css";

interface DocumentProps {
  readonly text: string;
  /** Name for the copy button: "JSON". */
  readonly what: string;
  /** Full height, if nothing else is shown. */
  readonly whole?: boolean;
}

/** A document to read and to copy. */
export function Document({ text, what, whole = false }: DocumentProps): ReactNode {
  return (
    <div className={classes["box"]} data-whole={whole || undefined}>
      <pre className={classes["text"]} tabIndex={0} aria-label={what} dir="ltr">
        {text}
      </pre>
      <CopyButton value={text} what={what} className={classes["copy"]} />
    </div>
  );
}

/** A record as JSON. Only a broken service sends one that overflows the stack. */
export function written(value: object): string {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    return "This record is nested too deeply to display.";
  }
}

/** A record as the API returned it, including fields that this console does not know; folded. */
export function RawJson({ value }: { readonly value: object }): ReactNode {
  return (
    <details>
      <summary className={classes["summary"]}>JSON</summary>
      <Document text={written(value)} what="JSON" />
    </details>
  );
}
