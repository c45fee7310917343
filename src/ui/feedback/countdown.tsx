import { useEffect, useRef, useState, type ReactNode } from "react";

import { announce } from "./announcer";
import { useNow } from "../clock";
import { VisuallyHidden } from "../layout/visually-hidden";

/** Seconds: coarse enough to cost nothing while nobody waits. */
const IDLE = 3600;

/**
 * Seconds until a moment (in ms); 0 when it has come or there is none. `onOver` is called when somebody has waited for
 * it, once for each moment.
 */
export function useSecondsLeft(until = 0, onOver?: () => unknown): number {
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const waiting = left > 0;
  useNow(waiting ? 1 : IDLE);
  const waited = useRef(false);
  const latest = useRef(onOver);
  latest.current = onOver;
  useEffect(() => {
    if (!waiting && waited.current) latest.current?.();
    waited.current = waiting;
  }, [waiting]);
  return left;
}

/** "12 s", "5 min". */
export const waitText = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;

/** Says politely that what could not be done for a while can be done now. */
export const sayOver = (): void => announce("You can try again now.");

/** Why nothing happens for a while, where it is tried again by itself; nothing once nobody is asked to wait. */
export const TriedAgain = ({ seconds }: { seconds: number }): ReactNode =>
  seconds > 0 ? (
    <>
      {" "}
      Rate limited. Retrying in <Wait seconds={seconds} />.
    </>
  ) : null;

/** How long there is still to wait; a screen reader is told once, not every second. */
export function Wait({ seconds }: { seconds: number }): ReactNode {
  const [first] = useState(seconds);
  return (
    <>
      <span aria-hidden="true">{waitText(seconds)}</span>
      <VisuallyHidden>{waitText(first)}</VisuallyHidden>
    </>
  );
}
