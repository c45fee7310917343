import { useEffect, type ReactNode } from "react";

import { CopyButton } from "../display/copy-button";
import classes from "./error-details.module.css";
import type { ErrorFacts } from "./error-facts";
import { noteError } from "./seen-errors";

export type DetailedError = Pick<ErrorFacts, "message" | "code" | "reason" | "domain" | "requestId">;

/** The facts of an error that a report needs and a reader does not: folded, each one to copy. */
export function ErrorDetails(error: DetailedError): ReactNode {
  const { message, code, reason, domain, requestId } = error;
  useEffect(() => {
    noteError({ message, code, reason, domain, requestId });
  }, [message, code, reason, domain, requestId]);
  return <ErrorFactList {...error} />;
}

/** The same without remembering it, for the list of the errors seen. */
export function ErrorFactList({ code, reason, domain, requestId }: DetailedError): ReactNode {
  const facts = [
    { term: "Reason", value: reason },
    { term: "Domain", value: domain },
    // Many reasons only repeat it.
    { term: "Code", value: code === reason ? undefined : code },
    { term: "Request id", value: requestId },
  ].filter(({ value }) => value);
  if (facts.length === 0) return null;
  return (
    <details className={classes["details"]}>
      <summary>Details</summary>
      <dl className={classes["facts"]}>
        {facts.map(({ term, value = "" }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton value={value} what={term.toLowerCase()} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
