import { useLayoutEffect, useMemo, useState, useSyncExternalStore, type RefObject } from "react";

import type { Column } from "./types";

export type Density = "comfortable" | "compact";

const KEY = "pc.density";
const NARROW = 600;
const REM = { comfortable: 2.5, compact: 2, narrow: 3.5, header: 2.25 };

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
let forgetful: Density = "comfortable";

function readDensity(): Density {
  try {
    return localStorage.getItem(KEY) === "compact" ? "compact" : "comfortable";
  } catch {
    return forgetful;
  }
}

/** For every list in this browser. */
export function setDensity(density: Density): void {
  forgetful = density;
  try {
    localStorage.setItem(KEY, density);
  } catch {
    // Storage may be forbidden: then it lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Row heights are in rem, so that a larger font in the browser's settings makes larger rows. */
const rootPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

function useWidth(ref: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth || undefined);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || undefined));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

export interface Layout<T> {
  readonly columns: readonly Column<T>[];
  /** `grid-template-columns` of the header and of every row. */
  readonly template: string;
  /** Name and one line beneath it, in place of columns. */
  readonly narrow: boolean;
  readonly density: Density;
  /** Heights in px. */
  readonly rowHeight: number;
  readonly headerHeight: number;
}

/** Which columns there is room for, and how high a row is. */
export function useLayout<T>(
  ref: RefObject<HTMLElement | null>,
  all: readonly Column<T>[],
  withActions: boolean,
): Layout<T> {
  const width = useWidth(ref);
  const density = useSyncExternalStore(subscribe, readDensity);
  const narrow = width !== undefined && width < NARROW;
  return useMemo(() => {
    const columns = narrow
      ? all.slice(0, 1)
      : all.filter(({ hideBelow }, index) => index === 0 || width === undefined || width >= (hideBelow ?? 0));
    const tracks = columns.map((column) => (narrow ? "minmax(0, 1fr)" : (column.width ?? "minmax(0, 1fr)")));
    const px = rootPx();
    return {
      columns,
      template: [...tracks, ...(withActions ? ["3rem"] : [])].join(" "),
      narrow,
      density,
      rowHeight: px * REM[narrow ? "narrow" : density],
      headerHeight: px * REM.header,
    };
  }, [all, density, narrow, width, withActions]);
}
