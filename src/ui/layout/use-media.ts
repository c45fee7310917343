import { useCallback, useSyncExternalStore } from "react";

/** True while the window matches a media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** True on phones; the same width as in the stylesheets. */
export const useNarrow = (): boolean => useMedia("(max-width: 47.99em)");
