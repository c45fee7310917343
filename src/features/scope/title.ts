import { useLayoutEffect, useSyncExternalStore } from "react";

/** What the screen on display is called; the shell adds the organization and the console's name. */
let title = "";
const listeners = new Set<() => void>();

function set(next: string): void {
  if (next === title) return;
  title = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Names the screen for the browser's tab and for screen readers. Undefined while the name is still loading. */
export function useTitle(name: string | undefined): void {
  useLayoutEffect(() => {
    set(name ?? "");
    return () => set("");
  }, [name]);
}

/** The current title, for code outside components. */
export const screenTitle = (): string => title;

/** The name that the screen on display gave itself; "" while it has none. */
export const useScreenTitle = (): string => useSyncExternalStore(subscribe, () => title);
