import { contains as holds } from "~/ui/contains";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One filter of a list: how to parse, apply and describe its search parameter. */
export interface Filter<T> {
  readonly label: string;
  /** If absent, the screen renders its own. */
  readonly control?: "text" | "date" | "flag" | readonly Choice[] | undefined;
  /** True for the texts of the search field that it takes; absent if it is not part of that field. */
  readonly searches?: (text: string) => boolean;
  /** Its control is beside the search field; those of the others are behind "Add filter". */
  readonly pinned?: true;
  /** Returns the value for a text in the address; undefined if the text is invalid. */
  readonly parse: (text: string) => string | undefined;
  /** The service's query parameters for it... */
  readonly query?: (value: string) => object;
  /** ...or, if the service has none, a row test: takes a scan of the whole list. */
  readonly matches?: (value: string) => (row: T) => boolean;
  /** The active filter in words: `name is exactly "ci"`. Absent if it hides no rows: "Clear filters" keeps it. */
  readonly describe?: (value: string) => string;
}

/** Filters by their search parameters. */
export type Filters<T> = Readonly<Record<string, Filter<T>>>;
/** The search parameters of a set of filters. */
export type SearchOf<F> = { [N in keyof F]?: string | undefined };

/** How a filter is applied: by the service (`query`) or by a scan of the whole list (`matches`). */
type Answered<T> = Pick<Filter<T>, "query" | "matches"> & Partial<Pick<Filter<T>, "describe">>;

const anyText = (text: string): string | undefined => text.trim() || undefined;
const quoted = (label: string, verb: string) => (value: string) =>
  `${label.charAt(0).toLowerCase()}${label.slice(1)} ${verb} "${value}"`;

/** A text that the service matches exactly. `parameter`: its name in the API. */
export const exact = (parameter: string, label: string): Filter<unknown> => ({
  label,
  control: "text",
  parse: anyText,
  query: (value) => ({ [parameter]: value }),
  describe: quoted(label, "is exactly"),
});

/** A part of any of these texts, ignoring case; the API has no such filter. `label`: names the texts. */
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

/** A filter of the list's search field, for the texts that it takes; earlier filters are tried first. */
export const searched = <T>(filter: Filter<T>, takes: (text: string) => boolean = everyText): Filter<T> => ({
  ...filter,
  searches: takes,
});

/** A filter whose control is always on screen. */
export const pinned = <T>(filter: Filter<T>): Filter<T> => ({ ...filter, pinned: true });

/** One of a few values. `any`: the label while none is chosen. */
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

/** Another way to show the list, on with one `value`. The screen renders its control. No words, as it hides no rows. */
export const option = <T>(label: string, value: string, answered: Answered<T> = {}): Filter<T> => ({
  label,
  parse: (text) => (text === value ? text : undefined),
  ...answered,
});

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A calendar day: 2026-08-11. */
export const date = <T>(label: string, answered: Answered<T>): Filter<T> => ({
  label,
  control: "date",
  parse: (text) => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined),
  describe: (value) => `${label.toLowerCase()} ${value}`,
  ...answered,
});
