import { Button } from "@mantine/core";

import "../controls/button-styles";
import { useNow } from "../clock";
import { sayOver, useSecondsLeft, Wait } from "./countdown";
import { errorFacts } from "./error-facts";
import { Notice } from "./notice";
import { relativeTime } from "../display/time-text";

interface StaleNoticeProps {
  /** What kept the page from being brought up to date. */
  error: unknown;
  /** When what is shown was read, in ms. */
  since: number;
  onRetry: () => unknown;
}

/** Over what is shown from memory, since reading it again did not work. */
export function StaleNotice({ error, since, onRetry }: StaleNoticeProps) {
  const now = useNow(30);
  const { message, retryAt } = errorFacts(error);
  const wait = useSecondsLeft(retryAt, sayOver);
  const age = since === 0 ? "an earlier screen" : relativeTime(new Date(since), now);
  return (
    <Notice
      tone="warning"
      title={`Could not refresh. Showing data from ${age === "just now" ? "a moment ago" : age}`}
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
