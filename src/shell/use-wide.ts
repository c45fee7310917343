import { useSyncExternalStore } from "react";

const query = () => window.matchMedia("(min-width: 62em)");

const subscribe = (listener: () => void): (() => void) => {
  const media = query();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
};

/** True if there is room for the navigation next to the page: 992 px at the default font size (in em, so it scales). */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => query().matches);
