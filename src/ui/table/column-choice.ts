import { writePreference, readPreference } from "../preferences";
import type { Column } from "./types";

/** What somebody chose of a list's columns, by id: true to see it, false not to. The others are as the list has them. */
export type Choice = Readonly<Record<string, boolean>>;

/** Below this many px a list shows names, and a line beneath each. */
export const NARROW = 600;
/** From this many px on, columns that nobody chose are shown as well, in at most this share of the room. */
const WIDE = 1600;
const SHARE = 0.6;
/** What a column takes that does not say so, and what stands beside all of them, in rem. */
const USUAL = 8;
const BESIDE = 4.5;

/** What the choice of a list is kept under. */
export const keptAs = (list: string): string => `columns ${list}`;

/** Reads a stored choice; anything else is no choice. */
export function readChoice(text: string | null): Choice {
  try {
    return Object(JSON.parse(text ?? "{}")) as Choice;
  } catch {
    return {};
  }
}

/** Chooses to see a column, or not to. */
export function choose(list: string, id: string, seen: boolean): void {
  writePreference(keptAs(list), JSON.stringify({ ...readChoice(readPreference(keptAs(list))), [id]: seen }));
}

/** The chosen columns, even when the window has no room for them. */
export const wantedColumns = <T>(all: readonly Column<T>[], choice: Choice): readonly Column<T>[] =>
  all.filter(({ id, optional }, index) => index === 0 || (choice[id] ?? !optional));

const leastOf = ({ width }: Column<never>): number => Number(/[\d.]+(?=rem)/.exec(width ?? "")?.[0] ?? USUAL);

/**
 * The columns that a list shows. A column that was chosen is not subject to its `hideBelow`, as long as all of them have
 * the least of their widths; where they have not, those go first that nobody chose, the least important before others,
 * and then the last of those that were chosen. `width`: of the list, `rem` in px.
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
  // What a list shows by itself has been looked at: it fits.
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
