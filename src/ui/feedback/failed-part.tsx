import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "../controls/button-styles";
import { TriedAgain, useSecondsLeft } from "./countdown";
import { ErrorDetails } from "./error-details";
import { errorFacts } from "./error-facts";
import { Notice } from "./notice";

interface FailedPartProps {
  /** What failed: "The readme couldn't be loaded". */
  title: string;
  error: unknown;
  /** Also called automatically, once, at the end of a wait that the service requested. */
  onRetry: () => unknown;
}

/** Replaces a part of a page that failed to load, while the rest of the page is shown. */
export function FailedPart({ title, error, onRetry }: FailedPartProps): ReactNode {
  const facts = errorFacts(error);
  const { message, retryAt } = facts;
  const wait = useSecondsLeft(retryAt, onRetry);
  return (
    <Notice
      tone="warning"
      title={title}
      actions={
        <Button variant="default" onClick={() => onRetry()}>
          {wait > 0 ? "Try now" : "Try again"}
        </Button>
      }
    >
      {message}
      <TriedAgain seconds={wait} />
      <ErrorDetails {...facts} />
    </Notice>
  );
}
