import type { ReactNode } from "react";

/** One column of a list. The first is the name: it holds the row's link and never hides. */
export interface Column<T> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /**
   * What the cell says, for an export: a time as it is on the wire. Left out where the cell is text itself; false where it
   * asks for what it shows, which no export does for every row.
   */
  readonly text?: ((row: T) => string) | false;
  /** A track of the grid: "10rem", "minmax(12rem, 2fr)". Default: an equal share. */
  readonly width?: string;
  /** The API's name for ordering by it; left out: the header is no button. */
  readonly sortField?: string;
  /** The direction of the first click; "desc" for times, newest first. */
  readonly sortFirst?: "asc" | "desc";
  /** "end" for numbers. */
  readonly align?: "start" | "end";
  /** Left out while the list is narrower than this, in px, unless somebody chose it and there is room after all. */
  readonly hideBelow?: number;
  /** Only there for those who choose it. */
  readonly optional?: boolean;
}

/**
 * What the list asks of a query: a part of React Query's `UseInfiniteQueryResult`, which fits as it is.
 * `fetchPreviousPage` matters only to lists that can start in the middle.
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
  /** Left out where there is nothing to read again. */
  readonly refetch?: () => unknown;
  /** When the rows were last fetched, in ms. */
  readonly dataUpdatedAt: number;
  /** The rows are those of the view before. */
  readonly isPlaceholderData?: boolean;
  /** Rows still to come may stand anywhere among these: one that is not there is not gone. */
  readonly isPartial?: boolean;
}

/** Of rows that are all there without having been read. */
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

/** `<field>` or `<field> desc`, as in `order_by` (contract 0.6). */
export function readOrder(order: string | undefined): { field: string; descending: boolean } | undefined {
  const [field, direction] = order?.split(" ") ?? [];
  return field ? { field, descending: direction === "desc" } : undefined;
}

/** The order that a click on a column's header asks for. */
export function nextOrder(
  current: string | undefined,
  column: Pick<Column<never>, "sortField" | "sortFirst">,
): string {
  const field = column.sortField ?? "";
  const now = readOrder(current);
  const descending = now?.field === field ? !now.descending : column.sortFirst === "desc";
  return descending ? `${field} desc` : field;
}
