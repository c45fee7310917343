import type { ComponentType } from "react";

import type { DeletableCollection } from "~/api/bulk/deletion";
import type { PagedList } from "~/api/paging/scan-pages";
import { useSelection, type ListSelection } from "~/ui/table/use-selection";
import { onDemand } from "~/ui/on-demand";

import type { DeletionBar } from "./deletion-bar";

/** What the deletion of many records of a kind needs to know. */
export interface DeletionWords<T> {
  readonly resource: DeletableCollection;
  /** "identity", "identities". */
  readonly one: string;
  readonly many: string;
  readonly nameOf: (record: T) => string;
  /** Where a record is: its groups, its repo. */
  readonly Where: ComponentType<{ readonly uid: string }>;
  /** Asks for the number even of a few records, as the deletion of one asks for its name. */
  readonly typed?: boolean;
  /** What is lost with them. */
  readonly consequence: string;
  /** What else can be done with those that are selected: buttons. */
  readonly More?: ComponentType<{ readonly records: readonly T[] }>;
}

export interface DeleteManyOptions<T> extends DeletionWords<T> {
  /** Filters and scope as text, as the list's table gets them. */
  readonly view: string;
  /** For "select all that match": the same list with pages of 200, and its filters that the service lacks. */
  readonly list: PagedList;
  readonly matches?: (record: T) => boolean;
  /** Why the caller cannot delete a record; undefined: nothing known prevents it. */
  readonly refusal: (record: T) => string | undefined;
}

type BarProps = Parameters<typeof DeletionBar<{ readonly uid: string }>>[0];

// Loaded with the first selected row.
const Bar = onDemand<BarProps>(async () => (await import("./deletion-bar")).DeletionBar);

/** Lets the rows of a list be selected and deleted: the `selection` of its table. */
export function useDeleteMany<T extends { readonly uid: string }>(
  options: DeleteManyOptions<T>,
): ListSelection<T> {
  const selection = useSelection<T>(options.view);
  return {
    ...selection,
    bar: (rows) => <Bar key={options.view} {...({ options, selection, rows } as object as BarProps)} />,
  };
}
