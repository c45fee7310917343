import { writePreference, readPreference } from "../preferences";
import type { Column } from "./types";

/** The user's choice of columns by id: true to show, false to hide. Others are as the list defines them. */
export type Choice = Readonly<Record<string, boolean>>;

/** Below this width in px, a list shows only names, with a line below each. */
export const NARROW = 600;
/** From this width in px, a list also shows columns without a choice, in at most this share of the space. */
const WIDE = 1600;
const SHARE = 0.6;
/** Width of a column that does not specify one, and of everything apart from the columns, in rem. */
const USUAL = 8;
const BESIDE = 4.5;

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

/** Stores the choice to show or hide a column. */
export function choose(list: string, id: string, seen: boolean): void {
  writePreference(keptAs(list), JSON.stringify({ ...readChoice(readPreference(keptAs(list))), [id]: seen }));
}

/** The wanted columns, even if the window has no space for them. */
export const wantedColumns = <T>(all: readonly Column<T>[], choice: Choice): readonly Column<T>[] =>
  all.filter(({ id, optional }, index) => index === 0 || (choice[id] ?? !optional));

const leastOf = ({ width }: Column<never>): number => Number(/[\d.]+(?=rem)/.exec(width ?? "")?.[0] ?? USUAL);

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
  const room = width / rem - BESIDE;
  const taken = (columns: readonly Column<T>[]) => columns.reduce((sum, column) => sum + leastOf(column), 0);
  if (width >= WIDE)
    for (const column of all) {
      const more = all.filter((each) => each === column || shown.includes(each));
      if (choice[column.id] === undefined && taken(more) < room * SHARE) shown = more;
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
