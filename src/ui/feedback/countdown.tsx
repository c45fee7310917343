import { useEffect, useRef, useState, type ReactNode } from "react";

import { announce } from "./announcer";
import { useSecondsUntil } from "../clock";
import { VisuallyHidden } from "../layout/visually-hidden";
import { useLatest } from "../use-latest";

/**
 * Seconds until `until` (in ms); 0 if that has passed or is not set. `onOver` is called when a countdown ends, once
 * for each.
 */
export function useSecondsLeft(until = 0, onOver?: () => unknown): number {
  const left = useSecondsUntil(until);
  const waiting = left > 0;
  const waited = useRef(false);
  const latest = useLatest(onOver);
  useEffect(() => {
    if (!waiting && waited.current) latest.current?.();
    waited.current = waiting;
  }, [waiting, latest]);
  return left;
}

/** "12 s", "5 min". */
export const waitText = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;

/** Announces, politely, that the user can try again. */
export const announceRetry = (): void => announce("You can try again now.");

/** Says that a request is rate limited and will be retried automatically; renders nothing at 0. */
export const TriedAgain = ({ seconds }: { seconds: number }): ReactNode =>
  seconds > 0 ? (
    <>
      {" "}
      Rate limited. Retrying in <Wait seconds={seconds} />.
    </>
  ) : null;

/** The remaining time; a screen reader announces it once, not every second. */
export function Wait({ seconds }: { seconds: number }): ReactNode {
  const [first] = useState(seconds);
  return (
    <>
      <span aria-hidden="true">{waitText(seconds)}</span>
      <VisuallyHidden>{waitText(first)}</VisuallyHidden>
    </>
  );
}
