import { contains as holds } from "./contains";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One filter of a list: a search parameter, what it means, what it does, and its words. */
export interface Filter<T> {
  readonly label: string;
  /** Without one the screen draws its own. */
  readonly control?: "text" | "date" | "flag" | readonly Choice[] | undefined;
  /** Which texts of the list's search field it answers; left out, it has nothing to do with that field. */
  readonly searches?: (text: string) => boolean;
  /** Its control stands beside the search field; those of the others are behind "Add filter". */
  readonly pinned?: true;
  /** The value that a text in the address stands for; undefined: the text means nothing. */
  readonly parse: (text: string) => string | undefined;
  /** The service's own parameters for it... */
  readonly query?: (value: string) => object;
  /** ...or, where the service has none, whether a row passes: then the whole list is read. */
  readonly matches?: (value: string) => (row: T) => boolean;
  /** The filter in force, in words: `name is exactly "ci"`. Without it, it hides nothing, and "Clear filters" leaves it. */
  readonly describe?: (value: string) => string;
}

/** Filters by their search parameters. */
export type Filters<T> = Readonly<Record<string, Filter<T>>>;
/** The search parameters of a set of filters. */
export type SearchOf<F> = { [N in keyof F]?: string | undefined };

/** How a filter is answered: by the service (`query`) or by reading the whole list (`matches`). */
type Answered<T> = Pick<Filter<T>, "query" | "matches"> & Partial<Pick<Filter<T>, "describe">>;

const anyText = (text: string): string | undefined => text.trim() || undefined;
const quoted = (label: string, verb: string) => (value: string) =>
  `${label.charAt(0).toLowerCase()}${label.slice(1)} ${verb} "${value}"`;

/** A text that the service compares as a whole. `parameter`: its name in the API. */
export const exact = (parameter: string, label: string): Filter<unknown> => ({
  label,
  control: "text",
  parse: anyText,
  query: (value) => ({ [parameter]: value }),
  describe: quoted(label, "is exactly"),
});

/** A part of any of these texts, whatever its case; the API has no such filter. `label`: what these are. */
export const contains = <T>(
  label: string,
  texts: (row: T) => readonly (string | undefined)[],
): Filter<T> => ({
  label,
  control: "text",
  parse: anyText,
  matches: (value) => (row) => holds(value, texts(row)),
  describe: quoted(label, "contains"),
});

const everyText = () => true;

/** A filter that the list's search field answers by, for the texts that it takes; one before others is asked first. */
export const searched = <T>(filter: Filter<T>, takes: (text: string) => boolean = everyText): Filter<T> => ({
  ...filter,
  searches: takes,
});

/** A filter whose control is always on screen. */
export const pinned = <T>(filter: Filter<T>): Filter<T> => ({ ...filter, pinned: true });

/** One of a few. `any`: what stands there while none is chosen. */
export const choice = <T>(
  label: string,
  choices: readonly Choice[],
  { any = "any", ...answered }: Answered<T> & { readonly any?: string },
): Filter<T> => ({
  label,
  control: [{ value: "", label: any }, ...choices],
  parse: (text) => choices.find(({ value }) => value === text)?.value,
  describe: (value) =>
    `${label.toLowerCase()} is ${choices.find((each) => each.value === value)?.label ?? value}`,
  ...answered,
});

/** On or off; "yes" in the address. */
export const flag = <T>(label: string, answered: Answered<T>): Filter<T> => ({
  label,
  control: "flag",
  parse: (text) => (text === "yes" ? text : undefined),
  describe: () => label.toLowerCase(),
  ...answered,
});

/** Another way to show the list, on with one `value`. Its control is the screen's; it has no words, as it hides no rows. */
export const option = <T>(label: string, value: string, answered: Answered<T> = {}): Filter<T> => ({
  label,
  parse: (text) => (text === value ? text : undefined),
  ...answered,
});

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A day of the calendar, 2026-08-11. */
export const date = <T>(label: string, answered: Answered<T>): Filter<T> => ({
  label,
  control: "date",
  parse: (text) => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined),
  describe: (value) => `${label.toLowerCase()} ${value}`,
  ...answered,
});
