import type { ReactNode } from "react";

import { useNow } from "../clock";
import { Badge } from "./badge";
import { Time } from "./time";

interface ExpiryProps {
  readonly value: string | undefined;
  /** Within how many days an end counts as soon; without it, only a past end is marked. */
  readonly soon?: number;
}

const DAY = 86_400_000;

/** Marks what has expired or will soon; renders nothing for anything else. */
export function ExpiryBadge({ value = "", soon = 0 }: ExpiryProps): ReactNode {
  const left = Date.parse(value) - useNow(30);
  if (left <= 0) return <Badge tone="warning">Expired</Badge>;
  return left <= soon * DAY ? <Badge tone="warning">Expiring soon</Badge> : null;
}

/** What the time of an end is called, before and after it. */
export function useEndTerm(value: string | undefined, before: string, after: string): string {
  return Date.parse(value ?? "") <= useNow(30) ? after : before;
}

/** When something expires, and whether it has. */
export const Expiry = (props: ExpiryProps): ReactNode => (
  <>
    <Time value={props.value} absent="not set" /> <ExpiryBadge {...props} />
  </>
);
