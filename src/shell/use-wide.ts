import { useSyncExternalStore } from "react";

const query = () => window.matchMedia("(min-width: 62em)");

const subscribe = (listener: () => void): (() => void) => {
  const media = query();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
};

/** Whether there is room for the navigation beside the page: 992 px, or less of them the larger the text is. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => query().matches);
