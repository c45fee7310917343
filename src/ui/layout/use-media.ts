import { useCallback, useSyncExternalStore } from "react";

/**
 * The widths of the window at which the screens change, in em, so that they grow with the font. Stylesheets write them as
 * `(width < 48em)` and `(width >= 48em)`; tokens.test.ts knows no others.
 */
export const WIDTHS = {
  /** Below: a phone held upright. */
  phone: 36,
  /** Below: one column, and tables that stack. */
  narrow: 48,
  /** From here: the navigation is beside the page. */
  wide: 62,
  /** From here: a page has two columns. */
  columns: 75,
  /** From here: a list has room for every filter. */
  roomy: 90,
} as const;

/** True while the window matches a media query. */
function useMedia(query: string): boolean {
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

export const useNarrow = (): boolean => useMedia(`(width < ${WIDTHS.narrow}em)`);

/** True if there is room for the navigation next to the page. */
export const useWide = (): boolean => useMedia(`(width >= ${WIDTHS.wide}em)`);
