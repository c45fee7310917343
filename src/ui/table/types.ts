import type { ReactNode } from "react";

/** One column of a list. The first is the name: it holds the row's link and never hides. */
export interface Column<T> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /**
   * The cell's text for an export; a time as on the wire. Absent if the cell itself is text; false if the cell makes
   * its own requests, which an export cannot do for every row.
   */
  readonly text?: ((row: T) => string) | false;
  /** Reads what the cells of these rows request by themselves, in few requests: the texts of a file. */
  readonly readTexts?: (rows: readonly T[]) => Promise<(row: T) => string>;
  /** A track of the grid: "10rem", "minmax(12rem, 2fr)". Default: an equal share. */
  readonly width?: string;
  /** The API's name for ordering by it; absent if the list cannot be sorted by it. */
  readonly sortField?: string;
  /** The direction of the first click; "desc" for times, newest first. */
  readonly sortFirst?: "asc" | "desc";
  /** What ascending and descending mean, if it is neither text, a number nor a time. */
  readonly sortWords?: readonly [ascending: string, descending: string];
  /** "end" for numbers. */
  readonly align?: "start" | "end";
  /** Hidden while the list is narrower than this, in px, unless the user chose it and there is enough space. */
  readonly hideBelow?: number;
  /** Hidden unless the user chooses it. */
  readonly optional?: boolean;
  /** Always in a file: another cell of the list says what this column would. */
  readonly inFile?: boolean;
}

/**
 * The part of React Query's `UseInfiniteQueryResult` that a list needs. `fetchPreviousPage` matters only to lists that
 * can start in the middle.
 */
export interface ListQuery {
  /** No rows yet: the first load. */
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
  readonly hasPreviousPage?: boolean;
  readonly isFetchingPreviousPage?: boolean;
  readonly isFetchPreviousPageError?: boolean;
  readonly fetchPreviousPage?: () => unknown;
  /** Absent if there is nothing to reload. */
  readonly refetch?: () => unknown;
  /** When the rows were last fetched, in ms. */
  readonly dataUpdatedAt: number;
  /** The rows are from the previous view. */
  readonly isPlaceholderData?: boolean;
  /** Rows not read yet can appear anywhere among these: a missing row is not necessarily gone. */
  readonly isPartial?: boolean;
}

/** For rows that need no request. */
export const READ: ListQuery = {
  isPending: false,
  isFetching: false,
  isError: false,
  error: null,
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: () => undefined,
  dataUpdatedAt: 0,
};

/** `<field>` or `<field> desc`, as in `order_by` (AIP-132). */
export function readOrder(order: string | undefined): { field: string; descending: boolean } | undefined {
  const [field, direction] = order?.split(" ") ?? [];
  return field ? { field, descending: direction === "desc" } : undefined;
}

/** The order after a click on a column's header. */
export function nextOrder(
  current: string | undefined,
  column: Pick<Column<never>, "sortField" | "sortFirst">,
): string {
  const field = column.sortField ?? "";
  const now = readOrder(current);
  const descending = now?.field === field ? !now.descending : column.sortFirst === "desc";
  return descending ? `${field} desc` : field;
}
