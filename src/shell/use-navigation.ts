import { useEffect, useState } from "react";
import { useRouterState } from "@tanstack/react-router";

import { useWide } from "./use-wide";

const KEY = "platform-console:navigation";

function remembered(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== "hidden";
  } catch {
    return true;
  }
}

/** Whether the navigation is open: beside the page as it was left in this browser, as a drawer only when asked for. */
export function useNavigation() {
  const wide = useWide();
  const [beside, setBeside] = useState(remembered);
  /** One object for each time that it was asked for; undefined while nobody wants it. */
  const [drawer, setDrawer] = useState<object>();
  // A drawer has served once it led to another screen, or another scope.
  const address = useRouterState({ select: ({ location }) => location.pathname + location.searchStr });
  const [shownAt, setShownAt] = useState(address);
  if (shownAt !== address) {
    setShownAt(address);
    setDrawer(undefined);
  }
  useEffect(() => {
    try {
      window.localStorage.setItem(KEY, beside ? "shown" : "hidden");
    } catch {
      // Without storage every visit begins with the navigation shown.
    }
  }, [beside]);
  return {
    wide,
    beside,
    drawer,
    toggle: () => (wide ? setBeside((before) => !before) : setDrawer({})),
    close: () => setDrawer(undefined),
  };
}
