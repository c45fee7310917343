import { useLayoutEffect, useSyncExternalStore } from "react";

import { Store } from "~/store";

/** Title of the current screen; the shell adds the organization and the console's name. */
const title = new Store(() => "");

/** Sets the screen's title for the browser tab and for screen readers. Undefined while the name is loading. */
export function useTitle(name: string | undefined): void {
  useLayoutEffect(() => {
    title.set(name ?? "");
    return () => title.set("");
  }, [name]);
}

/** The current title, for code outside components. */
export const screenTitle = title.get;

/** The current screen's title; "" until it is set. */
export const useScreenTitle = (): string => useSyncExternalStore(title.subscribe, title.get);
