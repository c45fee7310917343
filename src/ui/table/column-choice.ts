import { writePreference, readPreference } from "../preferences";
import type { Column } from "./types";

/** The user's choice of columns by id: true to show, false to hide. Others are as the list defines them. */
export type Choice = Readonly<Record<string, boolean>>;

/** Below this width in px, a list shows only names, with a line below each. */
export const NARROW = 600;
/** From this width in px, a list also shows columns without a choice, in at most this share of the space. */
const WIDE_PX = 1600;
const AUTO_COLUMNS_SHARE = 0.6;
/** Width of a column that does not specify one, and of everything apart from the columns, in rem. */
const DEFAULT_COLUMN_REM = 8;
const BESIDE_COLUMNS_REM = 4.5;

/** Storage key of a list's column choice. */
export const keptAs = (list: string): string => `columns ${list}`;

/** Parses a stored choice; returns an empty choice for anything else. */
export function readChoice(text: string | null): Choice {
  try {
    return Object(JSON.parse(text ?? "{}")) as Choice;
  } catch {
    return {};
  }
}

/** The choice that shows these columns and no others. `shared`: ids, separated by dots, as in a link. */
export function sharedChoice(all: readonly { readonly id: string }[], shared: string): Choice {
  const ids = new Set(shared.split("."));
  return Object.fromEntries(all.map(({ id }) => [id, ids.has(id)]));
}

/** The choice in force: that of the link which opened the list, or else the user's own. */
export const choiceOf = (
  list: string,
  all: readonly { readonly id: string }[],
  shared: string | undefined,
): Choice => (shared === undefined ? readChoice(readPreference(keptAs(list))) : sharedChoice(all, shared));

/** Stores a choice to show or hide a column, over the one in force. */
export function choose(list: string, before: Choice, id: string, seen: boolean): void {
  writePreference(keptAs(list), JSON.stringify({ ...before, [id]: seen }));
}

/** Widths of columns in px, by id, that the user has set. */
export type Widths = Readonly<Record<string, number>>;

/** Storage key of a list's widths. */
export const widthsKeptAs = (list: string): string => `widths ${list}`;

/** What a column can be dragged to, in px. */
const WIDTHS = { least: 48, most: 1200 };

/** Parses stored widths; leaves out whatever is none. */
export function readWidths(text: string | null): Widths {
  try {
    const entries = Object.entries(Object(JSON.parse(text ?? "{}")) as Record<string, unknown>);
    return Object.fromEntries(
      entries.filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    );
  } catch {
    return {};
  }
}

/** Stores the width of a column; undefined for the list's own. */
export function setWidth(list: string, id: string, px: number | undefined): void {
  const { [id]: _, ...others } = readWidths(readPreference(widthsKeptAs(list)));
  const set = px === undefined ? others : { ...others, [id]: withinLimits(px) };
  writePreference(widthsKeptAs(list), Object.keys(set).length > 0 ? JSON.stringify(set) : null);
}

export const withinLimits = (px: number): number =>
  Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, px)));

/**
 * The tracks of columns. A set width shrinks before anything is cut off at the end of the list; without a column of
 * flexible width, the last one takes what is left.
 */
export function tracksOf<T>(columns: readonly Column<T>[], widths: Widths): string[] {
  const isFlexible = ({ id, width = "fr" }: Column<T>) => widths[id] === undefined && width.includes("fr");
  const some = columns.some(isFlexible);
  return columns.map(({ id, width = "minmax(0, 1fr)" }, index) => {
    const px = widths[id];
    const fills = !some && index === columns.length - 1;
    if (px === undefined) return fills && width.endsWith("rem") ? `minmax(${width}, 1fr)` : width;
    return fills ? `minmax(${px}px, 1fr)` : `minmax(min(${px}px, 3rem), ${px}px)`;
  });
}

/** The wanted columns, even if the window has no space for them. */
export const wantedColumns = <T>(all: readonly Column<T>[], choice: Choice): readonly Column<T>[] =>
  all.filter(({ id, optional }, index) => index === 0 || (choice[id] ?? !optional));

/** The columns of a file: those that the user wants, and those that belong into every one. */
export const columnsForFile = <T>(all: readonly Column<T>[], choice: Choice): readonly Column<T>[] => {
  const wanted = wantedColumns(all, choice);
  return all.filter((column) => column.inFile || wanted.includes(column));
};

const leastOf = ({ width }: Column<never>): number =>
  Number(/([\d.]{1,8})rem/.exec(width ?? "")?.[1] ?? DEFAULT_COLUMN_REM);

/**
 * Returns the columns that a list shows. A chosen column ignores its `hideBelow`, as long as all columns get their
 * minimum widths; otherwise, hides columns without a choice first, the least important before others, and then the last
 * of the chosen ones. `width` of the list and `rem` in px.
 */
export function shownColumns<T>(
  all: readonly Column<T>[],
  choice: Choice,
  width: number | undefined,
  rem: number,
): readonly Column<T>[] {
  const wanted = wantedColumns(all, choice);
  if (width === undefined) return wanted;
  if (width < NARROW) return all.slice(0, 1);
  let shown = wanted.filter(
    ({ id, hideBelow = 0 }, index) => index === 0 || choice[id] || width >= hideBelow,
  );
  const room = width / rem - BESIDE_COLUMNS_REM;
  const taken = (columns: readonly Column<T>[]) => columns.reduce((sum, column) => sum + leastOf(column), 0);
  if (width >= WIDE_PX)
    for (const column of all) {
      const more = all.filter((each) => each === column || shown.includes(each));
      if (choice[column.id] === undefined && taken(more) < room * AUTO_COLUMNS_SHARE) shown = more;
    }
  // The default columns of a list are known to fit.
  if (!shown.some(({ id }) => choice[id])) return shown;
  const weight = ({ id, hideBelow = 0 }: Column<T>) => (choice[id] ? -1 : hideBelow);
  while (shown.length > 1 && taken(shown) > room) {
    const least = Math.max(...shown.slice(1).map(weight));
    const goes = shown.findLast((column, index) => index > 0 && weight(column) === least);
    shown = shown.filter((column) => column !== goes);
  }
  return shown;
}

const widths = new Map<string, number>();

/** Publishes the width of a list, in px, to its column chooser. */
export const noteWidth = (list: string, width: number): void => void widths.set(list, width);

export const widthOf = (list: string): number | undefined => widths.get(list);

/**
 * The columns of a list as a link has them: those on screen. Undefined if the user has chosen none: readers then see the
 * defaults. `rem` in px.
 */
export function columnsToShare(
  list: string,
  all: readonly Column<never>[],
  shared: string | undefined,
  rem: number,
): string | undefined {
  const choice = choiceOf(list, all, shared);
  if (!all.some(({ id }) => choice[id] !== undefined)) return undefined;
  const width = widthOf(list);
  return shownColumns(all, choice, width === undefined || width < NARROW ? undefined : width, rem)
    .map(({ id }) => id)
    .join(".");
}
