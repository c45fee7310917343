import type { ComponentType } from "react";

import type { PagedList } from "~/api/paging/scan-pages";
import { useSelection, type ListSelection } from "~/ui/table/use-selection";
import { onDemand } from "~/ui/on-demand";

import type { ActBar } from "./act-bar";

export interface ActsProps<T> {
  /** The selected records; at least one. */
  readonly records: readonly T[];
  /** Must be called when something was started with them: deselects them. */
  readonly onStarted: () => void;
}

export interface SelectableOptions<T, O = undefined> {
  /** Plural, in words: "identities". */
  readonly many: string;
  /** Filters and scope as text, as passed to the list's table. */
  readonly view: string;
  /** For "select all that match": the same list with pages of 200; `matches` applies the filters the service lacks. */
  readonly list: PagedList;
  readonly matches?: ((record: T) => boolean) | undefined;
  /** Buttons for the selected records, which get `of` as well. Must be defined outside of components. */
  readonly Acts: ComponentType<ActsProps<T> & { readonly of: O }>;
  readonly of: O;
}

type BarProps = Parameters<typeof ActBar<{ readonly uid: string }, never>>[0];

// Loaded with the first selected row.
const Bar = onDemand<BarProps>(async () => (await import("./act-bar")).ActBar);

/** Makes the rows of a list selectable. Returns the `selection` of its table. */
export function useSelectable<T extends { readonly uid: string }, O>(
  options: SelectableOptions<T, O>,
): ListSelection<T> {
  const selection = useSelection<T>(options.view, options.many);
  return {
    ...selection,
    bar: (rows) => <Bar key={options.view} {...({ options, selection, rows } as object as BarProps)} />,
  };
}
