import { Button } from "@mantine/core";

import "../controls/button-styles";
import { useNow } from "../clock";
import { announceRetry, useSecondsLeft, Wait } from "./countdown";
import { errorFacts } from "./error-facts";
import { Notice } from "./notice";
import { relativeTime } from "../display/time-text";

interface StaleNoticeProps {
  /** Why the refresh failed. */
  error: unknown;
  /** When the data on screen was loaded, in ms. */
  since: number;
  onRetry: () => unknown;
}

/** Shown above cached data that could not be refreshed. */
export function StaleNotice({ error, since, onRetry }: StaleNoticeProps) {
  const now = useNow(30);
  const { message, retryAt } = errorFacts(error);
  const wait = useSecondsLeft(retryAt, announceRetry);
  const age = since === 0 ? "an earlier screen" : relativeTime(new Date(since), now);
  return (
    <Notice
      tone="warning"
      title={`Couldn't refresh. Showing data from ${age === "just now" ? "a moment ago" : age}`}
      actions={
        <Button variant="default" onClick={() => onRetry()}>
          Try now
        </Button>
      }
    >
      {message}
      {wait > 0 ? (
        <>
          {" "}
          Rate limited. Try again in <Wait seconds={wait} />.
        </>
      ) : null}
    </Notice>
  );
}
