import type { ReactNode } from "react";

import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";

interface NotSentProps {
  /** "test event". */
  readonly what: string;
  readonly error: unknown;
}

/** Says that an event wasn't sent, or that nobody knows whether it was. */
export function NotSent({ what, error }: NotSentProps): ReactNode {
  const { message, outcome } = errorFacts(error);
  const title =
    outcome === "unknown" ? `We couldn't confirm whether the ${what} was sent` : `The ${what} wasn't sent`;
  return (
    <Notice tone="danger" role="alert" title={title}>
      {message}
    </Notice>
  );
}
