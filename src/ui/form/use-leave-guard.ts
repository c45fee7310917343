import { useBlocker } from "@tanstack/react-router";
import { useCallback, type RefObject } from "react";

import { draftsKept } from "./drafts";

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** Another page, or the drawer closed; the list behind may note its place and filters in the address meanwhile. */
export function leavesForm(current: Place, next: Place): boolean {
  const drawer = (place: Place) => (place.search as Record<string, unknown>)["drawer"];
  return current.pathname !== next.pathname || drawer(current) !== drawer(next);
}

/**
 * Asks before a navigation, a reload or closing the tab loses what was typed. `blocked` while it waits for an answer
 * to a navigation; the browser asks about the rest in its own words.
 */
export function useLeaveGuard(dirty: () => boolean, released: RefObject<boolean>) {
  const holds = useCallback(() => !released.current && !draftsKept() && dirty(), [dirty, released]);
  const blocker = useBlocker({
    shouldBlockFn: useCallback(
      ({ current, next }: { current: Place; next: Place }) => leavesForm(current, next) && holds(),
      [holds],
    ),
    enableBeforeUnload: holds,
    withResolver: true,
  });
  return {
    blocked: blocker.status === "blocked",
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  };
}
