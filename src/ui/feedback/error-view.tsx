import { TriangleAlertIcon } from "lucide-react";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "../controls/button-styles";
import { TriedAgain, useSecondsLeft } from "./countdown";
import { Empty } from "./empty";
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
  return (
    <Empty
      icon={<TriangleAlertIcon size={24} />}
      tone="warning"
      title={title}
      level={level}
      actions={
        onRetry || actions ? (
          <>
            {onRetry ? (
              <Button variant="default" onClick={onRetry}>
                {wait > 0 ? "Try now" : "Try again"}
              </Button>
            ) : null}
            {actions}
          </>
        ) : null
      }
      footer={
        <>
          {requestId ? <RequestId value={requestId} /> : null}
          {details ? (
            <details className={classes["details"]}>
              <summary>Details</summary>
              <pre tabIndex={0}>{details}</pre>
            </details>
          ) : null}
        </>
      }
    >
      <div>{message}</div>
      {wait > 0 ? (
        <p>
          <TriedAgain seconds={wait} />
        </p>
      ) : null}
    </Empty>
  );
}
