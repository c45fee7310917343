import { TriangleAlertIcon } from "lucide-react";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "../controls/button-styles";
import { TriedAgain, useSecondsLeft } from "./countdown";
import classes from "./error-view.module.css";
import { RequestId } from "./request-id";

interface ErrorViewProps {
  /** What failed: "Identities couldn't be loaded". */
  title: string;
  /** The reason, and what to do. */
  message: ReactNode;
  requestId?: string | undefined;
  /** For bug reports: a status, a stack. Folded. */
  details?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** Earliest retry that the service allows, in ms: `onRetry` is then called automatically, once. */
  retryAt?: number | undefined;
  actions?: ReactNode;
  /** 1 if it replaces a whole page. */
  level?: 1 | 2;
}

/** Shown in place of content that failed to load. */
export function ErrorView({
  title,
  message,
  requestId,
  details,
  onRetry,
  retryAt,
  actions,
  level = 2,
}: ErrorViewProps) {
  const wait = useSecondsLeft(retryAt, onRetry);
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className={classes["error"]}>
      <span className={classes["icon"]}>
        <TriangleAlertIcon size={24} />
      </span>
      <Heading className={classes["title"]} tabIndex={-1}>
        {title}
      </Heading>
      <div className={classes["text"]}>{message}</div>
      {wait > 0 ? (
        <p className={classes["text"]}>
          <TriedAgain seconds={wait} />
        </p>
      ) : null}
      {onRetry || actions ? (
        <div className={classes["actions"]}>
          {onRetry ? (
            <Button variant="default" onClick={onRetry}>
              {wait > 0 ? "Try now" : "Try again"}
            </Button>
          ) : null}
          {actions}
        </div>
      ) : null}
      {requestId ? <RequestId value={requestId} /> : null}
      {details ? (
        <details className={classes["details"]}>
          <summary>Details</summary>
          <pre tabIndex={0}>{details}</pre>
        </details>
      ) : null}
    </div>
  );
}
