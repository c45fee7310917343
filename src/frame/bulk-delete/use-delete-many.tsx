import type { ComponentType } from "react";

import type { DeletableCollection } from "~/api/bulk/deletion";
import type { Again } from "~/api/bulk/recreation-plan";
import type { PagedList } from "~/api/paging/scan-pages";
import type { ListSelection } from "~/ui/table/use-selection";
import { onDemand } from "~/ui/on-demand";

import { useSelectable, type ActsProps } from "./use-selectable";

/** Options for deleting many records of one kind that are the same in every list. */
export interface DeletionWords<T> {
  readonly resource: DeletableCollection;
  /** "identity", "identities". */
  readonly one: string;
  readonly many: string;
  readonly nameOf: (record: T) => string;
  /** Shows where a record is: its groups, its repo. */
  readonly Where: ComponentType<{ readonly uid: string }>;
  /** Requires typing the count even for a few records, as deleting a single one requires typing its name. */
  readonly typed?: boolean;
  /** What is lost along with the records; whether it can be undone is added. */
  readonly consequence: string;
  /** What a record is created from when the deletion is taken back; without it, it can't be. */
  readonly again?: (record: T) => Again | undefined;
  /** What else is different then, besides ids, times and history. */
  readonly differs?: string;
  /** Deleting them changes what somebody can do. */
  readonly changesAccess?: boolean | undefined;
  /** More action buttons for the selected records. */
  readonly More?: ComponentType<ActsProps<T>>;
}

export interface DeleteManyOptions<T> extends DeletionWords<T> {
  /** Filters and scope as text, as passed to the list's table. */
  readonly view: string;
  /** For "select all that match": the same list with pages of 200; `matches` applies the filters the service lacks. */
  readonly list: PagedList;
  readonly matches?: (record: T) => boolean;
  /** Why the user cannot delete a record; undefined if nothing known prevents it. */
  readonly refusal: (record: T) => string | undefined;
}

// Loaded with the first selected row.
const DeletionActs = onDemand<ActsProps<never> & { readonly of: DeleteManyOptions<never> }>(
  async () => (await import("./deletion-acts")).DeletionActs,
);

/** Makes the rows of a list selectable and deletable. Returns the `selection` of its table. */
export const useDeleteMany = <T extends { readonly uid: string }>(
  options: DeleteManyOptions<T>,
): ListSelection<T> =>
  useSelectable<T, DeleteManyOptions<T>>({
    ...options,
    of: options,
    Acts: DeletionActs as ComponentType<object> as ComponentType<
      ActsProps<T> & { readonly of: DeleteManyOptions<T> }
    >,
  });
