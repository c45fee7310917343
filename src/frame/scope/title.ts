import { useLayoutEffect, useSyncExternalStore } from "react";

/** Title of the current screen; the shell adds the organization and the console's name. */
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

/** Sets the screen's title for the browser tab and for screen readers. Undefined while the name is loading. */
export function useTitle(name: string | undefined): void {
  useLayoutEffect(() => {
    set(name ?? "");
    return () => set("");
  }, [name]);
}

/** The current title, for code outside components. */
export const screenTitle = (): string => title;

/** The current screen's title; "" until it is set. */
export const useScreenTitle = (): string => useSyncExternalStore(subscribe, () => title);
