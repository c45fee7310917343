import { useBlocker } from "@tanstack/react-router";
import { useCallback, type RefObject } from "react";

import { draftsKept } from "./drafts";

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** True for another page or a closed drawer. The list behind can update its position and filters in the address. */
export function leavesForm(current: Place, next: Place): boolean {
  const drawer = ({ search }: Place): unknown => Object(search).drawer;
  return current.pathname !== next.pathname || drawer(current) !== drawer(next);
}

/**
 * Asks before a navigation, a reload or closing the tab loses unsaved changes. `blocked` is true while a navigation
 * waits for the user's decision; for the others, the browser shows its own dialog.
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
