import { useLayoutEffect, useMemo, useState, useSyncExternalStore, type RefObject } from "react";

import { observeSize } from "../observe-size";
import { writePreference, readPreference, subscribePreferences } from "../preferences";
import {
  keptAs,
  NARROW,
  noteWidth,
  readChoice,
  readWidths,
  sharedChoice,
  shownColumns,
  tracksOf,
  widthsKeptAs,
} from "./column-choice";
import { lastSize } from "./last-size";
import type { Column } from "./types";

export type Density = "comfortable" | "compact";

/** The preference for the height of rows; comfortable if it is not set. */
export const DENSITY = "density";
const REM = { comfortable: 2.5, compact: 2, narrow: 3.75, header: 2.25 };

const readDensity = (): Density => (readPreference(DENSITY) === "compact" ? "compact" : "comfortable");

/** Applies to every list of this user in this browser. */
export const setDensity = (density: Density): void => writePreference(DENSITY, density);

/** Px per rem. Row heights are in rem, so that a larger font in the browser's settings makes larger rows. */
export const rootPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

interface Size {
  /** Px; undefined for a list that is not on screen. */
  readonly width: number | undefined;
  readonly rootPx: number;
}

/** The width of the last list: lists all fill the page. */
const likelyWidth = (): number | undefined => lastSize()?.width;

/** The first render takes the width of the last list: measuring it then would take another layout and another render. */
function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>(() => ({ width: likelyWidth() ?? innerWidth, rootPx: rootPx() }));
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = (): void => {
      const width = element.clientWidth || undefined;
      const px = rootPx();
      setSize((before) => (before.width === width && before.rootPx === px ? before : { width, rootPx: px }));
    };
    if (likelyWidth() === undefined) measure();
    return observeSize(element, measure);
  }, [ref]);
  return size;
}

export interface Layout<T> {
  readonly columns: readonly Column<T>[];
  /** `grid-template-columns` of the header and of every row. */
  readonly template: string;
  /** Name and one line below it, instead of columns. */
  readonly narrow: boolean;
  readonly density: Density;
  /** Heights in px. */
  readonly rowHeight: number;
  readonly headerHeight: number;
}

/**
 * The wanted columns that fit, and the row height. `list`: label of the table, for the stored column choice; `shared`:
 * the columns of the link that opened it, instead of that.
 */
export function useLayout<T>(
  ref: RefObject<HTMLElement | null>,
  all: readonly Column<T>[],
  withActions: boolean,
  list: string,
  shared?: string,
): Layout<T> {
  const { width, rootPx: px } = useSize(ref);
  const density = useSyncExternalStore(subscribePreferences, readDensity);
  const choice = useSyncExternalStore(subscribePreferences, () => readPreference(keptAs(list)));
  const widths = useSyncExternalStore(subscribePreferences, () => readPreference(widthsKeptAs(list)));
  useLayoutEffect(() => {
    if (width !== undefined) noteWidth(list, width);
  }, [list, width]);
  const narrow = width !== undefined && width < NARROW;
  const inForce = shared === undefined ? readChoice(choice) : sharedChoice(all, shared);
  const shown = shownColumns(all, inForce, width, px);
  const ids = shown.map(({ id }) => id).join(" ");
  // The same array for the same columns: another one renders every row again.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const columns = useMemo(() => shown, [all, ids]);
  return useMemo(() => {
    const tracks = narrow ? columns.map(() => "minmax(0, 1fr)") : tracksOf(columns, readWidths(widths));
    return {
      columns,
      template: [...tracks, ...(withActions ? ["3rem"] : [])].join(" "),
      narrow,
      density,
      rowHeight: px * REM[narrow ? "narrow" : density],
      headerHeight: px * REM.header,
    };
  }, [columns, density, narrow, px, widths, withActions]);
}
