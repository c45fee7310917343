import { forgetPreference, readPreference, writePreference } from "~/ui/preferences";

/** A list's search parameters under a name; stored per user in this browser. */
export interface SavedView {
  readonly name: string;
  /** Search parameters as text: scope, filters and order. */
  readonly search: Readonly<Record<string, string>>;
  /** The column choice, as stored; undefined for the list's defaults. */
  readonly columns?: string | undefined;
}

/** Maximum number of views of a list, and of characters of a name. */
export const VIEWS_MAX = 50;
export const NAME_MAX = 60;

/** Search parameters that are not part of a view: the position in the list, a link's columns, and the open drawer. */
const PASSING = new Set(["at", "columns", "drawer", "item"]);

const keptAs = (list: string): string => `views ${list}`;
const isText = (value: unknown): value is string => typeof value === "string";

/** Reads one stored entry, which can be anything; undefined if it is not a view. */
function readView(entry: unknown): SavedView | undefined {
  const { name, search, columns } = Object(entry) as Record<string, unknown>;
  if (!isText(name) || name === "" || typeof search !== "object" || search === null) return undefined;
  const texts = Object.fromEntries(Object.entries(search).filter(([, text]) => isText(text)));
  return { name, search: texts as SavedView["search"], ...(isText(columns) && { columns }) };
}

/** The views of a list by name, including those that another tab has saved. `list`: same key as for its columns. */
export function readViews(list: string): readonly SavedView[] {
  forgetPreference(keptAs(list));
  try {
    const stored: unknown = JSON.parse(readPreference(keptAs(list)) ?? "[]");
    return Array.isArray(stored) ? stored.flatMap((entry) => readView(entry) ?? []) : [];
  } catch {
    return [];
  }
}

function write(list: string, views: readonly SavedView[]): readonly SavedView[] {
  const sorted = views.toSorted((a, b) => a.name.localeCompare(b.name));
  writePreference(keptAs(list), sorted.length > 0 ? JSON.stringify(sorted) : null);
  return sorted;
}

/** Why a view cannot have this name; undefined if it can. `now`: its present name, if it has one. */
export function nameProblem(views: readonly SavedView[], name: string, now?: string): string | undefined {
  const wanted = name.trim();
  if (wanted === "") return "Enter a name";
  if (wanted.length > NAME_MAX) return `Use at most ${NAME_MAX} characters`;
  if (wanted !== now && views.some((view) => view.name === wanted))
    return "A view with this name already exists";
  return now === undefined && views.length >= VIEWS_MAX
    ? `You can save up to ${VIEWS_MAX} views. Delete one first.`
    : undefined;
}

/** The search parameters of a view: all except the position in the list and the open drawer. */
export const searchOf = (address: Readonly<Record<string, unknown>>): SavedView["search"] =>
  Object.fromEntries(
    Object.entries(address).filter(
      (entry): entry is [string, string] => isText(entry[1]) && !PASSING.has(entry[0]),
    ),
  );

export const saveView = (list: string, view: SavedView): readonly SavedView[] =>
  write(list, [...readViews(list).filter(({ name }) => name !== view.name), view]);

export const renameView = (list: string, from: string, to: string): readonly SavedView[] =>
  write(
    list,
    readViews(list).map((view) => (view.name === from ? { ...view, name: to } : view)),
  );

export const deleteView = (list: string, gone: string): readonly SavedView[] =>
  write(
    list,
    readViews(list).filter(({ name }) => name !== gone),
  );

/** True if the address shows this view. */
export const isShown = ({ search }: SavedView, address: SavedView["search"]): boolean => {
  const names = new Set([...Object.keys(search), ...Object.keys(address)]);
  return [...names].every((name) => search[name] === address[name]);
};
