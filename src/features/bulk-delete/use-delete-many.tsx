import type { ComponentType } from "react";

import type { DeletableCollection } from "~/api/bulk/types";
import type { PagedList } from "~/api/paging/scan-pages";
import { useSelection, type ListSelection } from "~/ui/table/use-selection";
import { onDemand } from "~/ui/on-demand";

import type { DeletionBar } from "./deletion-bar";

/** What deleting many records of a kind takes to say. */
export interface DeletionWords<T> {
  readonly resource: DeletableCollection;
  /** "identity", "identities". */
  readonly one: string;
  readonly many: string;
  readonly nameOf: (record: T) => string;
  /** Says where a record lies: its groups, its repo. */
  readonly Where: ComponentType<{ readonly uid: string }>;
  /** The deletion of one may ask for its name: that of a few asks for their number. */
  readonly typed?: boolean;
  /** What is lost with them. */
  readonly consequence: string;
}

export interface DeleteManyOptions<T> extends DeletionWords<T> {
  /** Filters and scope as text, as the list's table is told. */
  readonly view: string;
  /** The same list with pages of 200, and the filters of it that the service lacks: for "select all that match". */
  readonly list: PagedList;
  readonly matches?: (record: T) => boolean;
  /** Why the caller may not delete a record; undefined: they may, as far as is known. */
  readonly refusal: (record: T) => string | undefined;
}

type BarProps = Parameters<typeof DeletionBar<{ readonly uid: string }>>[0];

// Nobody needs it before something is selected.
const Bar = onDemand<BarProps>(async () => (await import("./deletion-bar")).DeletionBar);

/** Rows of a list can be selected, and what is selected deleted: the `selection` of its table. */
export function useDeleteMany<T extends { readonly uid: string }>(
  options: DeleteManyOptions<T>,
): ListSelection<T> {
  const selection = useSelection<T>(options.view);
  return {
    ...selection,
    bar: (rows) => <Bar key={options.view} {...({ options, selection, rows } as object as BarProps)} />,
  };
}
