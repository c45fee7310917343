import { useCallback, useEffect, useState } from "react";

import { useWide } from "~/ui/layout/use-media";

const KEY = "platform-console:navigation";

/** False if the user has hidden the navigation beside the page, in this browser. */
export function isNavigationBeside(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== "hidden";
  } catch {
    return true;
  }
}

/** Whether the navigation is open: beside the page it is remembered in this browser, as a drawer it is not. */
export function useNavigation() {
  const wide = useWide();
  const [beside, setBeside] = useState(isNavigationBeside);
  /** A new object each time the user opens the drawer; undefined while it is closed. */
  const [drawer, setDrawer] = useState<object>();
  const close = useCallback(() => setDrawer(undefined), []);
  useEffect(() => {
    try {
      window.localStorage.setItem(KEY, beside ? "shown" : "hidden");
    } catch {
      // Without storage, every visit starts with the navigation shown.
    }
  }, [beside]);
  return {
    wide,
    beside,
    drawer,
    toggle: () => (wide ? setBeside((before) => !before) : setDrawer({})),
    close,
  };
}
